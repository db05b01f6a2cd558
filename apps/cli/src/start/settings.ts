// The settings of a start. They are read once and checked by the services' own rules. All invalid ones are reported
// together.
import { fork } from 'node:child_process';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { PublicAddressSettings } from '@strata/domain';
import { findFreePort } from '@strata/processes';
import { type App, programFile } from '../folders.ts';
import { rootKeySettings, type StartCredentials } from './credentials.ts';

const APPS = ['core', 'gateway'] as const;
const PORTS = { STRATA_PORT: '3000', STRATA_GATEWAY_PORT: '4000' } as const;
type Ports = Record<keyof typeof PORTS, string>;
/** The ports of the metrics, which are off by default. */
const METRICS_PORTS = ['STRATA_METRICS_PORT', 'STRATA_GATEWAY_METRICS_PORT'] as const;

export type ProcessEnvironment = Readonly<Record<string, string | undefined>>;
/** The environment of both services, with the settings that a start always provides. */
export type StartSettings = ProcessEnvironment &
  Readonly<Ports> &
  Readonly<
    Record<
      'DATABASE_URL' | 'STRATA_HOST' | 'STRATA_ROOT_KEY' | `STRATA_BOOTSTRAP_${'API_KEY' | 'EMAIL' | 'PASSWORD'}`,
      string
    >
  >;

/** The module of a service that reads its settings. */
interface SettingsModule {
  readonly SETTINGS: readonly { readonly name: string; readonly about: string; readonly default?: string }[];
  readonly readEnv: (environment: ProcessEnvironment) => unknown;
}
export const loadSettings = async (app: App): Promise<SettingsModule> =>
  import(pathToFileURL(programFile(app, 'env.js')).href);

/** Returns the folder of the database and the credentials. The default is `.strata` in the current folder. */
export const dataDirectory = (env: ProcessEnvironment): string => path.resolve(env.STRATA_DATA_DIR || '.strata');

/** Returns the folder of the backups and of the archive, or null if there is none. */
export const backupDirectory = (env: ProcessEnvironment): string | null =>
  env.STRATA_BACKUP_DIR ? path.resolve(env.STRATA_BACKUP_DIR) : null;

/** Returns the folder of the compiled modules that Node stores, so that the next start is faster. */
export const compileCache = (dataDir: string): string => path.join(dataDir, 'compiled');

/** Returns the settings of a start, from which each service gets its own. */
export async function serviceEnvironment(
  env: ProcessEnvironment,
  credentials: StartCredentials,
  databaseUrl: string,
): Promise<StartSettings> {
  const host = env.STRATA_HOST || '127.0.0.1';
  // 0 means any free port; the printed addresses and the gateway need the number.
  const port = async (name: keyof Ports) =>
    env[name] === '0' ? String(await findFreePort()) : env[name] || PORTS[name];
  const ports: Ports = {
    STRATA_PORT: await port('STRATA_PORT'),
    STRATA_GATEWAY_PORT: await port('STRATA_GATEWAY_PORT'),
  };
  const { NODE_OPTIONS = '', ...rest } = env;
  return {
    NODE_COMPILE_CACHE: compileCache(dataDirectory(env)),
    ...rest,
    // This setting is meant for jest; .npmrc passes it to everything that runs under npm.
    NODE_OPTIONS: NODE_OPTIONS.replace('--experimental-vm-modules', '').trim(),
    DATABASE_URL: databaseUrl,
    STRATA_HOST: host,
    ...ports,
    // An invalid port is reported once, under its own name.
    STRATA_CORE_URL:
      env.STRATA_CORE_URL || (Number(ports.STRATA_PORT) < 65_536 ? coreUrl(host, ports.STRATA_PORT) : ''),
    STRATA_CONSOLE_URL: env.STRATA_CONSOLE_URL || consoleUrl(env, host, ports.STRATA_GATEWAY_PORT),
    ...rootKeySettings(env, credentials),
    STRATA_CHECKPOINT_KEY: env.STRATA_CHECKPOINT_KEY || credentials.checkpoint_key,
    STRATA_SESSION_KEY: env.STRATA_SESSION_KEY || credentials.session_key,
    STRATA_BOOTSTRAP_API_KEY: env.STRATA_BOOTSTRAP_API_KEY || credentials.api_key,
    STRATA_BOOTSTRAP_EMAIL: env.STRATA_BOOTSTRAP_EMAIL || credentials.owner_email,
    STRATA_BOOTSTRAP_PASSWORD: env.STRATA_BOOTSTRAP_PASSWORD || credentials.owner_password,
    STRATA_LOG_LEVEL: env.STRATA_LOG_LEVEL || 'warn',
    // no load balancer has to detect that the core is ending
    STRATA_GRACE_SECONDS: env.STRATA_GRACE_SECONDS || '0',
  };
}

/** Returns the settings that decide which address links in responses contain, after they were checked. */
export const publicAddress = (env: StartSettings): PublicAddressSettings => ({
  publicUrl: env.STRATA_PUBLIC_URL,
  host: env.STRATA_HOST,
  isBehindProxy: /^(true|[1-9])$/.test(env.STRATA_TRUST_PROXY ?? ''),
});

const OURS = /^(STRATA_|DATABASE_URL$)/;
const OF_DATABASE = /^(PG[A-Z]|POSTGRES_)/;
/** Only a migration creates the first owner and the first key, and changes the schema. */
const OF_MIGRATION = /^STRATA_(BOOTSTRAP_|OWNER_DATABASE_URL$)/;

/**
 * Returns the part of a start's environment in which a service loads its modules: without any setting of Strata and of
 * the database.
 */
export const environmentForLoading = (environment: ProcessEnvironment): ProcessEnvironment => ({
  // By default, the C library reserves memory for each thread, and a service of a small installation uses little of it.
  MALLOC_ARENA_MAX: '1',
  ...Object.fromEntries(Object.entries(environment).filter(([name]) => !OURS.test(name) && !OF_DATABASE.test(name))),
});

/**
 * Returns the settings of Strata and of the database that a running service reads. An attacker in the gateway finds only
 * the key of browser sessions, and no access to the database.
 */
function selectSettings(app: App, readNames: ReadonlySet<string>, environment: StartSettings): ProcessEnvironment {
  const isSelected = (name: string) =>
    !OF_MIGRATION.test(name) && (readNames.has(name) || (app === 'core' && OF_DATABASE.test(name)));
  return Object.fromEntries(Object.entries(environment).filter(([name]) => isSelected(name)));
}

/** Returns whether the gateway serves the console. The gateway's own rules report an invalid value. */
export const hasConsole = (env: ProcessEnvironment): boolean => env.STRATA_CONSOLE !== 'off';

/** The settings of a start, as the rules of both services see them. */
export interface CheckedSettings {
  /** The errors, one line each. */
  readonly wrong: readonly string[];
  /** The names that no service knows. */
  readonly unknown: readonly string[];
  /** The settings that each service gets. */
  readonly selected: Readonly<Record<App, ProcessEnvironment>>;
}

/**
 * Checks settings in another process, because the modules with the rules of the services take 20 MB for as long as
 * Strata runs.
 */
export function checkSettingsElsewhere(environment: StartSettings): Promise<CheckedSettings> {
  const child = fork(fileURLToPath(new URL('./check-settings.js', import.meta.url)), {
    env: { ...process.env, NODE_COMPILE_CACHE: environment.NODE_COMPILE_CACHE },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  // If the process ends early, `exit` gives the reason.
  child.send(environment, () => undefined);
  return new Promise((resolve, reject) => {
    child.once('message', (checkedSettings) => resolve(checkedSettings as unknown as CheckedSettings));
    child.on('error', reject);
    child.once('exit', (code, signal) =>
      reject(new Error(`The settings could not be checked (${signal ?? `code ${code}`}).`)),
    );
  });
}

/** Checks settings with the rules of both services. */
export async function checkSettings(environment: StartSettings): Promise<CheckedSettings> {
  const wrongNames = new Set<string>();
  const readNames = new Set(['STRATA_DATA_DIR', 'STRATA_BACKUP_DIR']);
  const selectedSettings: Record<App, ProcessEnvironment> = { core: {}, gateway: {} };
  for (const app of APPS) {
    const { readEnv, SETTINGS } = await loadSettings(app);
    const names = new Set(SETTINGS.map(({ name }) => name));
    selectedSettings[app] = selectSettings(app, names, environment);
    for (const name of names) readNames.add(name);
    try {
      readEnv(environment);
    } catch (error) {
      // A message is a sentence, which a list of errors may follow.
      const [first = '', ...list] = (error as Error).message.split('\n');
      for (const line of list.length > 0 ? list : [first]) wrongNames.add(line.trim());
    }
  }
  for (const [first, secondPort] of [Object.keys(PORTS), METRICS_PORTS]) {
    const [port, otherPort] = [environment[first ?? ''], environment[secondPort ?? '']];
    if (port && port === otherPort) wrongNames.add(`${secondPort}: is the same as ${first}`);
  }
  const unknownNames = Object.keys(environment).filter((name) => name.startsWith('STRATA_') && !readNames.has(name));
  return { wrong: [...wrongNames], unknown: unknownNames, selected: selectedSettings };
}

/**
 * Returns one line for each port that is not available: which one, why, and which setting to change. Waits up to
 * `patience` ms for the ports.
 */
export async function checkPorts(environment: StartSettings, patience = 0): Promise<string[]> {
  const until = Date.now() + patience;
  for (;;) {
    const problems: string[] = [];
    for (const [name, host] of listeningAddresses(environment)) {
      const port = Number(environment[name]);
      const code = Number.isInteger(port) && port > 0 && port < 65_536 ? await tryPort(host, port) : undefined;
      if (code) problems.push(describePortError(code, host, port, name));
    }
    if (problems.length === 0 || Date.now() >= until) return [...new Set(problems)];
    await sleep(100);
  }
}

/** Returns the names of the ports of a start, each with the address to listen on. */
function listeningAddresses(environment: StartSettings): readonly (readonly [name: string, host: string])[] {
  const { STRATA_HOST: host, STRATA_METRICS_HOST: metricsHost } = environment;
  const metrics = METRICS_PORTS.filter((name) => environment[name]);
  return [
    ...Object.keys(PORTS).map((name) => [name, host] as const),
    ...metrics.map((name) => [name, metricsHost || '127.0.0.1'] as const),
  ];
}

/** Returns the code of the error, or undefined if a program can listen on the port. */
function tryPort(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

function describePortError(code: string, host: string, port: number, name: string): string {
  if (code === 'EADDRINUSE')
    return `Port ${port} is taken by another program. Set ${name} to a free one, such as ${name}=${port + 10}.`;
  if (code === 'EACCES') return `Port ${port} requires root. Set ${name} to a port above 1023.`;
  const setting = name.includes('METRICS') ? 'STRATA_METRICS_HOST' : 'STRATA_HOST';
  return `${setting}=${host} cannot be listened on (${code}).`;
}

/** Returns the address of the console for the command line. A public address is that of the REST API and the console. */
function consoleUrl(env: ProcessEnvironment, host: string, port: string): string {
  const isOther = hasConsole(env) && !env.STRATA_PUBLIC_URL;
  // An invalid port is reported once, under its own name.
  return isOther && Number(port) < 65_536 ? `http://${formatAuthority(connectableHost(host), port)}` : '';
}

const coreUrl = (host: string, port: string): string => `http://${formatAuthority(connectableHost(host), port)}`;

/** Returns an address that this machine can use to reach a service that listens on `host`. */
export const connectableHost = (host: string): string =>
  host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;

/** Formats host and port as in a URL. */
export const formatAuthority = (host: string, port: string): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`;
