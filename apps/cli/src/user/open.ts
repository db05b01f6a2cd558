import { spawn } from 'node:child_process';
import { addressOf, normalized, selectionOf, type TargetOptions } from './context.ts';
import { note, print, printJson } from './output.ts';
import { projectFile } from './project-file.ts';

interface OpenOptions extends TargetOptions {
  readonly console?: string;
  readonly print?: boolean;
}

const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens the console where the selected project, and the parameter, is shown. */
export async function openConsole(name: string | undefined, options: OpenOptions): Promise<void> {
  const file = projectFile(process.cwd());
  const origin = options.console ?? (process.env.STRATA_CONSOLE_URL || addressOf(options, process.env, file).url);
  const { project, environment } = selectionOf(options, process.env, file);
  const page = `${normalized(origin)}/${pathOf(project, name)}`;
  const address = project && environment && !name ? `${page}?${new URLSearchParams({ envs: environment })}` : page;
  if (options.json) return printJson({ url: address });
  print(address);
  if (!options.print) await openInBrowser(address);
}

function pathOf(project: string | null, name: string | undefined): string {
  if (project === null) return 'projects';
  const path = `projects/${encodeURIComponent(project)}`;
  return name === undefined ? path : `${path}/parameters/${encodeURIComponent(name)}`;
}

async function openInBrowser(address: string): Promise<void> {
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...args, address], { stdio: 'ignore', detached: true });
  const isStarted = await new Promise((resolve) =>
    child.once('spawn', () => resolve(true)).once('error', () => resolve(false)),
  );
  child.unref();
  if (!isStarted) note('No browser can be started here. Open the address yourself.');
}
