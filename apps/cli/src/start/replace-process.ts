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
