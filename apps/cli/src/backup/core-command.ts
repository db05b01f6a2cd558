import { execFile } from 'node:child_process';
import { nodeArguments } from '@strata/processes';
import { programFile } from '../folders.ts';
import type { InstallationRootKeys } from '../start/credentials.ts';

interface CoreSettings extends InstallationRootKeys {
  readonly DATABASE_URL?: string;
}

/** The core requires an address, also for a command that does not connect. */
const NO_DATABASE = 'postgres://strata@127.0.0.1/strata';

/** Runs a command of the core, which knows the schema and the keys, and returns its output. */
export function runCore(
  args: readonly string[],
  { DATABASE_URL = NO_DATABASE, ...rootKeys }: CoreSettings,
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, DATABASE_URL, ...rootKeys };
  const commandLine = [...nodeArguments(), programFile('core', 'main.js'), ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, commandLine, { env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) || 1 : 0, stdout, stderr });
    });
  });
}
