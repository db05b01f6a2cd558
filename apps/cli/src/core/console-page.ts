import { spawn } from 'node:child_process';
import { Client } from './client.ts';
import { normalizeUrl } from './context.ts';

/** Returns the address of the console: the given one, that of STRATA_CONSOLE_URL, or the one that Strata names. */
export async function consoleAddress(address: string | undefined, urlOf: () => string): Promise<string> {
  const explicitAddress = address ?? (process.env.STRATA_CONSOLE_URL || undefined);
  if (explicitAddress !== undefined) return normalizeUrl(explicitAddress);
  const url = urlOf();
  // An earlier release of Strata does not name it.
  const { console_url: consoleUrl } = await new Client(url, null).call('features_retrieve');
  return consoleUrl ? normalizeUrl(consoleUrl) : url;
}

const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Without one of them, `xdg-open` starts a browser for terminals, or none. */
const OF_DESKTOP = ['DISPLAY', 'WAYLAND_DISPLAY', 'WSL_DISTRO_NAME', 'BROWSER'];

/** Opens an address in the browser of the system. Returns false if there is none. */
export async function openInBrowser(address: string): Promise<boolean> {
  if (process.platform === 'linux' && !OF_DESKTOP.some((name) => process.env[name])) return false;
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...args, address], { stdio: 'ignore', detached: true });
  const isStarted = await new Promise<boolean>((resolve) =>
    child.once('spawn', () => resolve(true)).once('error', () => resolve(false)),
  );
  child.unref();
  return isStarted;
}
