import { RELEASE } from '@strata/domain';
import { nodeArguments } from '@strata/processes';
import { Command, InvalidArgumentError } from 'commander';
import { backUp } from './backup/back-up.ts';
import { restore } from './backup/restore.ts';
import { type App, programFile } from './folders.ts';
import { listSettings } from './list-settings.ts';
import { processFindings } from './process-findings.ts';
import { OperatorError, withSecrets } from './secret-settings.ts';
import { runningInstallation } from './start/running-installation.ts';
import { start } from './start/start.ts';

const SETTINGS_HELP = '\nSettings are environment variables. `strata settings` lists them.';

/** Runs the command of a command line. Prints an error and exits with 2 if there is no such command. */
export async function runCommand(argv: readonly string[]): Promise<void> {
  const strata = new Command('strata')
    .description('Strata, a configuration service')
    .version(versionLine(), '-V, --version', 'print the version and the commit')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', SETTINGS_HELP)
    .configureHelp({ showGlobalOptions: false })
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2));
  strata
    .command('start')
    .description('run everything on this machine, with an embedded PostgreSQL unless DATABASE_URL is set')
    .action(() => start());
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
      const env = runningInstallation(withSecrets(process.env));
      const also = JSON.stringify(await processFindings(env));
      become('core', ['doctor', '--also', also, ...(json ? ['--json'] : [])], env);
    });
  addBackupCommands(strata);
  strata
    .command('end-sessions')
    .description('sign out everybody: end all sessions and tokens, but no API keys')
    .option('--yes', 'confirm it')
    .action(({ yes }: { readonly yes?: boolean }) => {
      if (!yes) throw new OperatorError('This signs out all people in all organizations. Add --yes to confirm it.');
      become('core', ['end-sessions'], runningInstallation(withSecrets(process.env)));
    });
  strata
    .command('settings')
    .description('list the settings of all processes with their defaults')
    .action(async () => console.log(await listSettings()));
  strata
    .command('version')
    .description('print the version and the commit')
    .action(() => console.log(versionLine()));
  try {
    await strata.parseAsync(argv);
  } catch (error) {
    // Other classes of errors are bugs, and Node prints their stack.
    if (!(error instanceof OperatorError) && (error as Error).constructor !== Error) throw error;
    console.error((error as Error).message);
    process.exit(error instanceof OperatorError ? error.exitCode : 1);
  }
}

function addBackupCommands(strata: Command): void {
  strata
    .command('backup')
    .description('copy the embedded database into a folder, whether Strata is running or not')
    .option('--to <folder>', 'folder of the backups (default: STRATA_BACKUP_DIR)')
    .option(
      '--keep <number>',
      'remove all but this number of backups, and the archive that only they need',
      wholeNumber,
    )
    .action(backUp);
  strata
    .command('restore')
    .description('restore the embedded database from a backup and the archive')
    .option('--from <folder>', 'folder of the backups (default: STRATA_BACKUP_DIR)')
    .option('--to <instant>', 'restore the state of an instant, such as 2026-11-25T10:00:00Z (default: the end)')
    .option('--replace', 'move the present database aside')
    .action(restore);
  strata
    .command('after-restore')
    .description(
      'prepare your restored PostgreSQL: replace the epochs, end all sessions, check the ledger and the secrets',
    )
    .option('--json', 'print the findings as JSON')
    .action(({ json }: { readonly json?: boolean }) => become('core', ['after-restore', ...(json ? ['--json'] : [])]));
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It must be a whole number of 1 or more.');
  return Number(text);
}

const versionLine = (): string => [RELEASE.version, RELEASE.commit && `(${RELEASE.commit})`].filter(Boolean).join(' ');

type Settings = Readonly<Record<string, string | undefined>>;

/** Replaces this process with a service, which has its own heap limit and receives the signals of the supervisor. */
function become(app: App, args: readonly string[] = [], env: Settings = withSecrets(process.env)): void {
  const command = [process.execPath, ...nodeArguments(env), programFile(app, 'main.js'), ...args];
  if (process.execve) process.execve(process.execPath, command, env as NodeJS.ProcessEnv);
  throw new OperatorError('This operating system cannot replace a process. Use `strata start` here.');
}
