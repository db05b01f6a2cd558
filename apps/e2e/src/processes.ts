import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { nodeArguments } from '@strata/processes';
import { createGrowingPause } from '@strata/testkit';

export { buildMissingApps } from '@strata/testkit';

const root = path.resolve(import.meta.dirname, '../../..');
const mainPath = (app: string) => path.join(root, 'apps', app, 'dist', 'main.js');

export type ProcessSettings = Readonly<Record<string, string>>;

/** A service in its own process, as in production. */
export interface Service {
  readonly origin: string;
  readonly process: ChildProcess;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  /** Returns everything that the process has printed so far. */
  log(): string;
  /** Sends a signal and waits until the process has ended. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Starts a service, and resolves when it listens. The service does not inherit the environment of the tests. */
export async function startService(
  app: 'core' | 'gateway',
  port: number,
  settings: ProcessSettings,
  preloadedModules: readonly string[] = [],
): Promise<Service> {
  const { service, ready } = launchService(app, port, settings, preloadedModules);
  await ready;
  return service;
}

/** Starts a service and returns without waiting until it listens. */
export function launchService(
  app: 'core' | 'gateway',
  port: number,
  settings: ProcessSettings,
  preloadedModules: readonly string[] = [],
) {
  const name = app === 'core' ? 'STRATA_PORT' : 'STRATA_GATEWAY_PORT';
  const child = spawn(app, [], { ...settings, [name]: String(port) }, preloadedModules);
  const readyPromise = new Promise<void>((resolve, reject) => {
    child.process.once('message', () => resolve());
    void child.ended.then(({ code, signal }) => reject(new Error(`${app} ended (${signal ?? code}):\n${child.log()}`)));
  });
  const service: Service = { ...child, origin: `http://127.0.0.1:${port}` };
  return { service, ready: readyPromise };
}

/**
 * Returns the longest time in milliseconds for which the event loop was blocked since the last call. The service must have loaded
 * `tools/block-probe.mjs`.
 */
export async function longestEventLoopBlock({ process: child }: Service): Promise<number> {
  const message = once(child, 'message');
  child.send('longest turn');
  const [{ longestBlockMs }] = (await message) as [{ longestBlockMs: number }];
  return longestBlockMs;
}

/** Runs the migrations of the core. */
export async function migrate(settings: ProcessSettings): Promise<void> {
  const child = spawn('core', ['migrate'], settings);
  const { code } = await child.ended;
  if (code !== 0) throw new Error(`migrate ended with ${code}:\n${child.log()}`);
}

function spawn(
  app: string,
  args: string[],
  settings: ProcessSettings,
  preloadedModules: readonly string[] = [],
): Omit<Service, 'origin'> {
  const child = fork(mainPath(app), args, {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      STRATA_GRACE_SECONDS: '0',
      // The test database does not wait for the disk. Without this setting, the core does not start with such a database.
      ...(app === 'core' && { STRATA_UNSAFE_DATABASE: 'true' }),
      ...settings,
    },
    execArgv: [...nodeArguments(settings), ...preloadedModules.flatMap((file) => ['--import', file])],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (text += data));
  const whenEnded = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  return {
    process: child,
    ended: whenEnded,
    log: () => text,
    end: async (signal) => {
      child.kill(signal);
      await whenEnded;
    },
  };
}

/** The time limit of `eventually`, long enough for a machine that is busy with other work. */
const TIMEOUT_MS = 120_000;

/** Checks a condition until it holds. Throws an error with its description after the time limit. */
export async function eventually(description: string, checkHolds: () => Promise<boolean> | boolean) {
  const pause = createGrowingPause();
  const until = Date.now() + TIMEOUT_MS;
  while (!(await checkHolds())) {
    if (Date.now() > until) throw new Error(`Not within ${TIMEOUT_MS} ms: ${description}`);
    await pause();
  }
}

/** Returns the status of a health check; 0 if the service does not respond. */
export const fetchStatus = (origin: string, page: 'readyz' | 'healthz'): Promise<number> =>
  fetch(`${origin}/${page}`).then(
    ({ status }) => status,
    () => 0,
  );
