// The commands that read and change configuration: their arguments, options and descriptions. Each loads its code only
// when it runs, so that `strata get` stays fast.
import { type Command, Option } from 'commander';
import { wholeNumber } from '../whole-number.ts';
import { addBuildCommands } from './build-commands.ts';
import {
  collect,
  DRY_RUN,
  lazily,
  ONLY_ENVIRONMENT,
  PLAN_HASH,
  REVEAL,
  withAllowName,
  withMoment,
  withProject,
  withScope,
  withUrl,
  YES,
} from './common-options.ts';
import { addImportCommands } from './import-commands.ts';

const CONSOLE = [
  '--console <address>',
  'address of the console (default: STRATA_CONSOLE_URL, the one that Strata names, the address of Strata)',
] as const;

/** Adds the commands for people and programs that use Strata. */
export function addUserCommands(strata: Command): void {
  strata.commandsGroup('Sign in:');
  addSignInCommands(strata);
  strata.commandsGroup('Read:');
  addReadCommands(strata);
  addInsightCommands(strata);
  addOpenCommand(strata);
  strata.commandsGroup('Build:');
  addBuildCommands(strata);
  strata.commandsGroup('Change:');
  addChangeCommands(strata);
  addImportCommands(strata);
  strata.commandsGroup('Connect:');
  addConnectCommands(strata);
}

function addSignInCommands(strata: Command): void {
  withUrl(strata.command('login'))
    .description(
      'sign in by browser on a terminal, otherwise with an API key from standard input, and store the credential',
    )
    .option('--browser', 'sign in by browser, even if standard input is not a terminal')
    .option('--no-browser', 'sign in by a browser on another machine: print the address, and read the code')
    .option(...CONSOLE)
    .addOption(
      new Option('--key', 'sign in with an API key, which is read from the terminal or standard input').conflicts([
        'browser',
        'email',
      ]),
    )
    .addOption(
      new Option('--key-file <file>', 'sign in with an API key, which is read from a file').conflicts([
        'browser',
        'email',
      ]),
    )
    .addOption(
      new Option(
        '--email <address>',
        'sign in with a password, which is read from the terminal or standard input',
      ).conflicts('browser'),
    )
    .action(lazily(async () => (await import('./sign-in-commands.ts')).login));
  withUrl(strata.command('logout'))
    .description('delete the stored credential, and end its session')
    .action(lazily(async () => (await import('./sign-in-commands.ts')).logout));
  withScope(strata.command('whoami'))
    .description('print the account, the address and the selected project and environment')
    .action(lazily(async () => (await import('./sign-in-commands.ts')).whoami));
}

function addConnectCommands(strata: Command): void {
  withUrl(strata.command('mcp'))
    .description(
      'serve tools for agents over standard input and output (Model Context Protocol); they read masked configuration and plan changes',
    )
    .action(lazily(async () => (await import('./mcp/mcp-command.ts')).mcp));
}

function addReadCommands(strata: Command): void {
  withMoment(withScope(strata.command('get')))
    .description('print one effective value')
    .argument('<name>', 'name of the parameter')
    .option(...REVEAL)
    .action(lazily(async () => (await import('./read-commands.ts')).get));
  withMoment(withScope(strata.command('list')))
    .description('list the effective values of an environment')
    .argument('[names...]', 'only these parameters; exits with 4 if one has no value (default: all)')
    .option(...REVEAL)
    .action(lazily(async () => (await import('./read-commands.ts')).list));
  withAllowName(withMoment(withScope(strata.command('export'))))
    .description('print all effective values in a format, or a template')
    .addOption(
      new Option('-f, --format <format>', 'format of the output')
        .choices(FORMATS)
        .default('dotenv')
        .conflicts('template'),
    )
    .addOption(
      new Option('--reader <name>', 'program that reads the dotenv file (default: all except ruby)').choices(READERS),
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
/** The readers of `@strata/domain`, which is loaded only by commands that need it. */
const READERS = ['all', 'dotenv', 'node', 'dotenvx', 'sh', 'python-dotenv', 'compose', 'godotenv', 'ruby'];

function addRunCommand(strata: Command): void {
  withAllowName(withScope(strata.command('run')))
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
    .addOption(
      new Option('--offline', 'do not contact Strata, and start with the stored values').conflicts(['watch', 'signal']),
    )
    .passThroughOptions()
    .action(lazily(async () => (await import('./run.ts')).run));
}

function addInsightCommands(strata: Command): void {
  withMoment(withScope(strata.command('explain')))
    .description('print why a value is effective, where else it is set, and what uses it')
    .argument('<name>', 'name of the parameter')
    .option(...REVEAL)
    .action(lazily(async () => (await import('./explain.ts')).explain));
  withProject(strata.command('compare'))
    .description('list the names whose values differ between two environments, projects or points in time')
    .argument('<left>', 'environment on the left')
    .argument('[right]', 'environment on the right (default: the same)')
    .option('--right-project <name>', 'project on the right (default: the same)')
    .option('--left-revision <number>', 'the left side after a revision')
    .option('--left-as-of <time>', 'the left side at a time')
    .option('--left-tag <name>', 'the left side at the time of a tag')
    .option('--right-revision <number>', 'the right side after a revision')
    .option('--right-as-of <time>', 'the right side at a time')
    .option('--right-tag <name>', 'the right side at the time of a tag')
    .option('--exit-code', 'exit with 7 if there are differences')
    .action(lazily(async () => (await import('./insight-commands.ts')).compare));
  withUrl(strata.command('search'))
    .description(
      'search names, values and descriptions in all projects and environments; secret values are never searched',
    )
    .argument('<text>', 'text to search for')
    .option('-p, --project <name>', 'only this project (default: all)')
    .option(...ONLY_ENVIRONMENT)
    .option('--in <fields>', 'where to search: name, value, description, separated by commas (default: everywhere)')
    .addOption(new Option('--match <kind>', 'how to match').choices(['contains', 'prefix', 'exact', 'regex']))
    .option('-i, --ignore-case', 'ignore letter case')
    .option('--limit <number>', 'maximum number of results', wholeNumber(100_000), 100)
    .action(lazily(async () => (await import('./insight-commands.ts')).search));
  withProject(strata.command('lint'))
    .description('list likely mistakes of the project; exits with 7 if there are any')
    .option(...ONLY_ENVIRONMENT)
    .option('--kind <kinds>', 'only these kinds of findings, separated by commas')
    .option('--all', 'all projects that you may read')
    .option('--fix', 'plan the fixes, and apply them after a confirmation')
    .option('-y, --yes', 'apply the fixes without a confirmation')
    .action(lazily(async () => (await import('./insight-commands.ts')).lint));
  withProject(strata.command('history'))
    .description('list the changesets of the project, or the changes of one parameter, newest first')
    .argument('[name]', 'name of a parameter')
    .option(...ONLY_ENVIRONMENT)
    .option('--all', 'all projects that you may read')
    .option('--since <time>', 'only changesets of this time or later')
    .option('-q, --query <text>', 'only changesets whose message or external reference contains a text')
    .option('--limit <number>', 'maximum number of entries', wholeNumber(2_500), 20)
    .action(lazily(async () => (await import('./history.ts')).history));
}

function addOpenCommand(strata: Command): void {
  withScope(strata.command('open'))
    .description('open the console at the project, or at a parameter')
    .argument('[name]', 'name of a parameter')
    .option(...CONSOLE)
    .option('--print', 'only print the address')
    .action(lazily(async () => (await import('./open.ts')).openConsole));
}

const withMessage = (command: Command): Command =>
  command
    .option('-m, --message <text>', 'message of the changeset')
    .option('--external-ref <text>', 'reference to an external system, such as a ticket or a commit');

const withChanges = (command: Command): Command =>
  withMessage(command)
    .argument('[values...]', 'NAME=value; NAME alone reads the value from the terminal or standard input')
    .option('--null <name>', 'set an explicit null; repeatable', collect)
    .option('--create', 'create parameters that do not exist, and override inherited ones')
    .option('--secret', 'the created parameters are secret')
    .option('--type <name>', 'type of the created parameters');

const withFile = (command: Command): Command =>
  withChanges(command)
    .option('--unset <name>', 'delete a value; repeatable', collect)
    .option(
      '-f, --file <file>',
      'changeset as YAML or JSON; - is standard input; several files are one changeset',
      collect,
    );

function addChangeCommands(strata: Command): void {
  withChanges(withScope(strata.command('set')))
    .description('set values by name, as one changeset')
    .action(lazily(async () => (await import('./change-commands.ts')).set));
  withMessage(withScope(strata.command('unset')))
    .description('delete values, so that the inherited ones apply')
    .argument('<names...>', 'names of the parameters')
    .action(lazily(async () => (await import('./change-commands.ts')).unset));
  withFile(withScope(strata.command('plan')))
    .description('print what a changeset would do, with the hash of the plan; exits with 7 if Strata would reject it')
    .option('--assume-write', 'plan as if your role could write; an account that can apply it has another hash')
    .action(lazily(async () => (await import('./change-commands.ts')).plan));
  withFile(withScope(strata.command('apply')))
    .description('apply a changeset exactly as planned, or plan it and apply it after a confirmation')
    .option(...PLAN_HASH)
    .option(...YES)
    .action(lazily(async () => (await import('./change-commands.ts')).apply));
  withUrl(strata.command('revert'))
    .description('revert a changeset, after a confirmation of the plan')
    .argument('<revision>', 'revision of the changeset')
    .option('-m, --message <text>', 'message of the new changeset')
    .addOption(
      new Option('--on-conflict <way>', 'what to do with later changes').choices(['abort', 'skip', 'overwrite']),
    )
    .option(...DRY_RUN)
    .option(...PLAN_HASH)
    .option(...YES)
    .action(lazily(async () => (await import('./change-commands.ts')).revert));
}
