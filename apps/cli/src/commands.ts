import type { Command } from 'commander';
import { addOperatorCommands, versionLine } from './operator-commands.ts';
import { OperatorError } from './secret-settings.ts';
import { StrataCommand } from './strata-command.ts';
import { CommandError, requireUtf8 } from './user/command-error.ts';
import { addUserCommands } from './user/commands.ts';

const HELP = [
  '',
  'Run `strata help <command>` for the options of a command.',
  '`strata settings` lists the settings of a server, which are environment variables.',
].join('\n');

/** Returns the parser of the command line. */
export function program(): Command {
  const strata = new StrataCommand('strata')
    .description('Strata, a configuration service')
    .version(versionLine(), '-V, --version', 'print the version and the commit')
    .addHelpText('after', HELP)
    .configureHelp({ showGlobalOptions: false })
    .enablePositionalOptions()
    .showHelpAfterError('Run `strata help <command>` for its arguments and options.')
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2));
  addUserCommands(strata);
  strata.commandsGroup('Operate an installation:');
  addOperatorCommands(strata);
  return strata.commandsGroup('Other commands:').helpCommand('help [command]', 'print the help of a command');
}

/** Runs the command of a command line. Prints an error and exits with 2 if there is no such command. */
export async function runCommand(argv: readonly string[]): Promise<void> {
  const strata = program();
  if (argv[2] === 'completion' || argv[2] === 'complete') return complete(strata, argv);
  strata
    .command('completion')
    .description('print the script that completes commands and options in a shell')
    .argument('<shell>', 'bash, zsh, fish or powershell');
  let asJson = false;
  strata.hook('preAction', (_, command) => {
    asJson = command.opts<{ readonly json?: boolean }>().json === true;
  });
  // The program that reads the output can end earlier, such as `head`.
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 1));
  try {
    requireUtf8(argv, 'An argument');
    await strata.parseAsync(argv);
  } catch (error) {
    await end(error, asJson);
  }
}

/**
 * Prints the script for a shell, or the words that it can complete. Both come from the definitions of the commands. The
 * library that does it is loaded only then.
 */
async function complete(strata: Command, argv: readonly string[]): Promise<void> {
  const { default: tab } = await import('@bomb.sh/tab/commander');
  tab(strata, { completionCommandName: 'completion' });
  await strata.parseAsync(argv);
}

async function end(error: unknown, asJson: boolean): Promise<never> {
  if (error instanceof CommandError) {
    const { printError } = await import('./user/output.ts');
    printError(error, asJson);
    process.exit(error.exitCode);
  }
  // Other classes of errors are bugs, and Node prints their stack.
  if (!(error instanceof OperatorError) && (error as Error).constructor !== Error) throw error;
  console.error((error as Error).message);
  process.exit(error instanceof OperatorError ? error.exitCode : 1);
}
