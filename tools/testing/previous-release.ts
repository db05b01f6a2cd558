import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { nodeArguments } from '@strata/processes';
import { CACHE, type Tool } from '../acceptance/tools.ts';

const root = path.resolve(import.meta.dirname, '../..');
/** The commit of the previous release. It had no package, so its services are started from its checkout. */
const PREVIOUS = '835bba6f223593d4071b7756c2f9fcaabd3a15e8';

/** Returns the command of a service or of the migration of one release. */
export type Commands = (service: 'core' | 'gateway' | 'migrate') => readonly string[];

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

/** Returns the repository's history as a tool, which is missing if the history was cut off. */
export function repositoryHistoryTool(): Tool {
  try {
    git('cat-file', '-e', `${PREVIOUS}^{commit}`);
    return { program: 'git', missing: null };
  } catch {
    return { program: 'git', missing: `the history does not contain ${PREVIOUS}` };
  }
}

/** Returns the commands of the previous release, which is built if it is missing. */
export function previousReleaseCommands(): Commands {
  const checkout = path.join(CACHE, `release-${PREVIOUS}`);
  const isBuilt = path.join(checkout, 'built');
  if (!fs.existsSync(isBuilt)) {
    fs.rmSync(checkout, { recursive: true, force: true });
    git('clone', '--quiet', '--no-checkout', root, checkout);
    const run = (command: string, ...args: string[]) =>
      execFileSync(command, args, {
        cwd: checkout,
        stdio: ['ignore', 'ignore', 'pipe'],
        env: { ...process.env, CI: 'true' },
      });
    run('git', 'checkout', '--quiet', PREVIOUS);
    run('npm', 'ci', '--no-audit', '--no-fund', '--loglevel=error');
    run('npm', 'run', 'build');
    fs.writeFileSync(isBuilt, '');
  }
  return builtCommands(checkout);
}

/** Returns the commands of the release that was built in a checkout. */
export function builtCommands(checkout: string): Commands {
  return (service) => {
    const app = service === 'gateway' ? 'gateway' : 'core';
    const main = path.join(checkout, 'apps', app, 'dist/main.js');
    return [process.execPath, ...nodeArguments(), main, ...(service === 'migrate' ? ['migrate'] : [])];
  };
}
