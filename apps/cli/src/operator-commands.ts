import { RELEASE } from '@strata/domain';
import type { Command } from 'commander';
import { type App, programFile } from './folders.ts';
import { OperatorError, withSecrets } from './secret-settings.ts';
import { wholeNumber } from './whole-number.ts';

/** Adds the commands for people who operate an installation. Each loads its code only when it runs. */
export function addOperatorCommands(strata: Command): void {
  strata
    .command('start')
    .description('run everything on this machine, with an embedded PostgreSQL unless DATABASE_URL is set')
    .action(async () => (await import('./start/start.ts')).start());
  const serve = strata.command('serve').description('run one service, as a container or a system service does');
  serve
    .command('core')
    .description('run the REST service')
    .action(() => become('core'));
  serve
    .command('gateway')
    .description('run GraphQL and the console')
    .action(() => become('gateway'));
  strata
    .command('migrate')
    .description('create or update the schema of the database, and exit')
    .action(() => become('core', ['migrate']));
  strata
    .command('doctor')
    .description('check the database, keys, jobs, disk and processes of an installation, and print what to do')
    .option('--json', 'print the findings as JSON')
    .action(async ({ json }: { readonly json?: boolean }) => {
      const { processFindings } = await import('./process-findings.ts');
      const env = await installation();
      const also = JSON.stringify(await processFindings(env));
      await become('core', ['doctor', '--also', also, ...(json ? ['--json'] : [])], env);
    });
  addBackupCommands(strata);
  strata
    .command('end-sessions')
    .description('sign out everybody: end all sessions and tokens, but no API keys')
    .option('--yes', 'confirm it')
    .action(async ({ yes }: { readonly yes?: boolean }) => {
      if (!yes) throw new OperatorError('This signs out all people in all organizations. Add --yes to confirm it.');
      await become('core', ['end-sessions'], await installation());
    });
  strata
    .command('settings')
    .description('list the settings of all processes with their defaults')
    .action(async () => console.log(await (await import('./list-settings.ts')).listSettings()));
  strata
    .command('version')
    .description('print the version and the commit')
    .action(() => console.log(versionLine()));
}

function addBackupCommands(strata: Command): void {
  strata
    .command('backup')
    .description('copy the embedded database into a folder, whether Strata is running or not')
    .option('--to <folder>', 'folder of the backups (default: STRATA_BACKUP_DIR)')
    .option(
      '--keep <number>',
      'remove all but this number of backups, and the archive that only they need',
      wholeNumber(999_999),
    )
    .action(async (options) => (await import('./backup/back-up.ts')).backUp(options));
  strata
    .command('restore')
    .description('restore the embedded database from a backup and the archive')
    .option('--from <folder>', 'folder of the backups (default: STRATA_BACKUP_DIR)')
    .option('--to <instant>', 'restore the state of an instant, such as 2026-11-25T10:00:00Z (default: the end)')
    .option('--replace', 'move the present database aside')
    .action(async (options) => (await import('./backup/restore.ts')).restore(options));
  strata
    .command('after-restore')
    .description(
      'prepare your restored PostgreSQL: replace the epochs, end all sessions, check the ledger and the secrets',
    )
    .option('--json', 'print the findings as JSON')
    .action(({ json }: { readonly json?: boolean }) => become('core', ['after-restore', ...(json ? ['--json'] : [])]));
}

export const versionLine = (): string =>
  [RELEASE.version, RELEASE.commit && `(${RELEASE.commit})`].filter(Boolean).join(' ');

/** Returns the settings of the installation of DATABASE_URL, or of the one that runs in this folder. */
const installation = async (): Promise<Settings> =>
  (await import('./start/running-installation.ts')).runningInstallation(withSecrets(process.env));

type Settings = Readonly<Record<string, string | undefined>>;

/** Replaces this process with a service, which has its own heap limit and receives the signals of the supervisor. */
async function become(app: App, args: readonly string[] = [], env: Settings = withSecrets(process.env)): Promise<void> {
  const { nodeArguments } = await import('@strata/processes');
  const command = [process.execPath, ...nodeArguments(env), programFile(app, 'main.js'), ...args];
  if (process.execve) process.execve(process.execPath, command, env as NodeJS.ProcessEnv);
  throw new OperatorError('This operating system cannot replace a process. Use `strata start` here.');
}
