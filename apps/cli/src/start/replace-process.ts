import { OperatorError, withSecrets } from '../core/secret-settings.ts';
import { type App, programFile } from '../folders.ts';

type Settings = Readonly<Record<string, string | undefined>>;

/** Replaces this process with a service, which has its own heap limit and receives the signals of the supervisor. */
export async function replaceProcess(
  app: App,
  args: readonly string[] = [],
  env: Settings = withSecrets(process.env),
): Promise<void> {
  // The help of all commands loads this file, and these modules contain the driver of the database.
  const { nodeArguments } = await import('@strata/processes');
  const command = [process.execPath, ...nodeArguments(env), programFile(app, 'main.js'), ...args];
  // Unlike the other functions that start a process, this one rejects undefined values.
  const settings = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined));
  if (process.execve) process.execve(process.execPath, command, settings);
  throw new OperatorError('This operating system cannot replace a process. Use `strata start` here.');
}

/** Replaces this process with a command of the core, for the installation that the settings or the data directory describe. */
export async function replaceWithOperatorCommand(args: readonly string[]): Promise<void> {
  // The help of all commands loads this file, and the driver of the database is large.
  const { runningInstallation } = await import('./running-installation.ts');
  await replaceProcess('core', args, runningInstallation(withSecrets(process.env)));
}
