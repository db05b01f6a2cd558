// The commands that read and change configuration: their arguments, options and descriptions. Each loads its code only
// when it runs, so that `strata get` stays fast.
import { type Command, Option } from 'commander';

type Action = (...args: never[]) => void | Promise<void>;

/** Returns an action that loads its module first. */
const lazily =
  (load: () => Promise<Action>) =>
  async (...args: unknown[]): Promise<void> =>
    (await load())(...(args as never[]));

const withUrl = (command: Command): Command =>
  command
    .option('--url <address>', 'address of Strata (default: STRATA_URL, strata.json, the last sign-in)')
    .option('--json', 'print JSON, errors too');

const withProject = (command: Command): Command =>
  withUrl(command).option('-p, --project <name>', 'project (default: STRATA_PROJECT, strata.json)');

const withScope = (command: Command): Command =>
  withProject(command).option('-e, --environment <name>', 'environment (default: STRATA_ENVIRONMENT, strata.json)');

const withMoment = (command: Command): Command =>
  command
    .addOption(new Option('--revision <number>', 'the state after a revision').conflicts(['asOf', 'tag']))
    .addOption(new Option('--as-of <time>', 'the state at a time, such as 2026-11-25T10:00:00Z').conflicts('tag'))
    .option('--tag <name>', 'the state at the time of a tag');

const REVEAL = ['--reveal', 'show secrets; the access log of Strata records it'] as const;

/** Adds the commands for people and programs that use Strata. */
export function addUserCommands(strata: Command): void {
  strata.commandsGroup('Sign in:');
  addSignInCommands(strata);
  strata.commandsGroup('Read:');
  addReadCommands(strata);
}

function addSignInCommands(strata: Command): void {
  withUrl(strata.command('login'))
    .description('sign in and store the credential: with an API key, which is read from the terminal or standard input')
    .option('--key-file <file>', 'read the API key from a file')
    .option('--email <address>', 'sign in as a person; the password is read from the terminal or standard input')
    .action(lazily(async () => (await import('./sign-in-commands.ts')).login));
  withUrl(strata.command('logout'))
    .description('delete the stored credential, and end its session')
    .action(lazily(async () => (await import('./sign-in-commands.ts')).logout));
  withScope(strata.command('whoami'))
    .description('print the account, the address and the selected project and environment')
    .action(lazily(async () => (await import('./sign-in-commands.ts')).whoami));
}

function addReadCommands(strata: Command): void {
  withMoment(withScope(strata.command('get')))
    .description('print one effective value')
    .argument('<name>', 'name of the parameter')
    .option(...REVEAL)
    .action(lazily(async () => (await import('./read-commands.ts')).get));
  withMoment(withScope(strata.command('list')))
    .description('list the effective values of an environment')
    .option(...REVEAL)
    .action(lazily(async () => (await import('./read-commands.ts')).list));
  withMoment(withScope(strata.command('export')))
    .description('print all effective values in a format, or a template')
    .addOption(
      new Option('-f, --format <format>', 'format of the output')
        .choices(FORMATS)
        .default('dotenv')
        .conflicts('template'),
    )
    .option('--template <name>', 'print a template of the project instead')
    .option('-o, --output <file>', 'write a file, which only its owner can read')
    .option('--name <name>', 'name of the Kubernetes objects (default: the project)')
    .option('--namespace <name>', 'namespace of the Kubernetes objects')
    .option(...REVEAL)
    .action(lazily(async () => (await import('./export.ts')).exportValues));
  addRunCommand(strata);
}

const FORMATS = ['dotenv', 'docker', 'shell', 'json', 'yaml', 'kubernetes'];

const collect = (name: string, names: readonly string[]): readonly string[] => [...names, name];

function addRunCommand(strata: Command): void {
  withScope(strata.command('run'))
    .description('run a program with the effective values, secrets included, as environment variables')
    .usage('[options] -- <program> [arguments...]')
    .argument('<program>', 'the program to run')
    .argument('[arguments...]', 'its arguments')
    .option('--watch', 'restart the program after each change')
    .option('--signal <name>', 'send a signal, such as SIGHUP, after each change instead of restarting the program')
    .option(
      '--cache-max-age <time>',
      'store the values encrypted, and start with them for this time if Strata is unavailable, such as 12h',
    )
    .option('--offline', 'do not contact Strata, and start with the stored values')
    .option(
      '--allow-name <name>',
      'permit a variable that can make programs run other code, such as PATH; repeatable',
      collect,
      [],
    )
    .passThroughOptions()
    .action(lazily(async () => (await import('./run.ts')).run));
}
