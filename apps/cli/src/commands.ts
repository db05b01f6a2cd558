import type { Command } from 'commander';
import { addCommand, type CommandDefinition } from './core/define-command.ts';
import { CommandError, requireUtf8 } from './core/errors.ts';
import { OperatorError } from './core/secret-settings.ts';
import { StrataCommand } from './core/strata-command.ts';
import { versionLine } from './core/version.ts';

type Load = () => Promise<{ readonly command: CommandDefinition }>;

/** The group of the commands that are generated from the contract, and of those for keys. */
const ADMINISTER = 'Administer:';

type Groups = Readonly<Record<string, Readonly<Record<string, Load>>>>;

/** The commands by group and name, in the order of the help. Only the file of the command that runs is loaded. */
const GROUPS: Groups = {
  'Sign in:': {
    login: () => import('./commands/sign-in/login.ts'),
    logout: () => import('./commands/sign-in/logout.ts'),
    whoami: () => import('./commands/sign-in/whoami.ts'),
    setup: () => import('./commands/sign-in/setup.ts'),
    'profile list': () => import('./commands/sign-in/profile-list.ts'),
    'profile use': () => import('./commands/sign-in/profile-use.ts'),
    'profile delete': () => import('./commands/sign-in/profile-delete.ts'),
  },
  'Read:': {
    get: () => import('./commands/read/get.ts'),
    list: () => import('./commands/read/list.ts'),
    export: () => import('./commands/read/export.ts'),
    run: () => import('./commands/read/run.ts'),
    explain: () => import('./commands/insight/explain.ts'),
    compare: () => import('./commands/insight/compare.ts'),
    search: () => import('./commands/insight/search.ts'),
    lint: () => import('./commands/insight/lint.ts'),
    history: () => import('./commands/insight/history.ts'),
    open: () => import('./commands/read/open.ts'),
  },
  'Build:': {
    'generate types': () => import('./commands/build/generate-types.ts'),
    check: () => import('./commands/build/check.ts'),
    bisect: () => import('./commands/build/bisect.ts'),
  },
  'Change:': {
    set: () => import('./commands/change/set.ts'),
    unset: () => import('./commands/change/unset.ts'),
    plan: () => import('./commands/change/plan.ts'),
    apply: () => import('./commands/change/apply.ts'),
    revert: () => import('./commands/change/revert.ts'),
    import: () => import('./commands/import/files.ts'),
    'import snapshot': () => import('./commands/import/snapshot.ts'),
  },
  [ADMINISTER]: {
    'access explain': () => import('./commands/administer/access-explain.ts'),
    'access plan': () => import('./commands/administer/access-plan.ts'),
    'access request': () => import('./commands/administer/access-request.ts'),
    'access requests': () => import('./commands/administer/access-requests.ts'),
    'access unused': () => import('./commands/administer/access-unused.ts'),
    'access approve': () => import('./commands/administer/access-approve.ts'),
    'access decline': () => import('./commands/administer/access-decline.ts'),
    'access revoke': () => import('./commands/administer/access-revoke.ts'),
    'audit keep': () => import('./commands/administer/audit-keep.ts'),
    'key list': () => import('./commands/administer/key-list.ts'),
    'key create': () => import('./commands/administer/key-create.ts'),
    'integration list': () => import('./commands/administer/integration-list.ts'),
    'integration test': () => import('./commands/administer/integration-test.ts'),
    'push list': () => import('./commands/administer/push-list.ts'),
    'push keys': () => import('./commands/administer/push-keys.ts'),
    'push plan': () => import('./commands/administer/push-plan.ts'),
    'push policy': () => import('./commands/administer/push-policy.ts'),
    'push run': () => import('./commands/administer/push-run.ts'),
  },
  'Connect:': { mcp: () => import('./mcp/mcp-command.ts') },
  'Operate an installation:': {
    start: () => import('./commands/operate/start.ts'),
    'serve core': () => import('./commands/operate/serve-core.ts'),
    'serve gateway': () => import('./commands/operate/serve-gateway.ts'),
    edge: () => import('./commands/operate/edge.ts'),
    migrate: () => import('./commands/operate/migrate.ts'),
    doctor: () => import('./commands/operate/doctor.ts'),
    backup: () => import('./commands/operate/backup.ts'),
    restore: () => import('./commands/operate/restore.ts'),
    'after-restore': () => import('./commands/operate/after-restore.ts'),
    'keys list': () => import('./commands/operate/keys-list.ts'),
    'keys rotate': () => import('./commands/operate/keys-rotate.ts'),
    'audit verify': () => import('./commands/operate/audit-verify.ts'),
    'continue-pushes': () => import('./commands/operate/continue-pushes.ts'),
    'rotate-signing-key': () => import('./commands/operate/rotate-signing-key.ts'),
    'end-sessions': () => import('./commands/operate/end-sessions.ts'),
    settings: () => import('./commands/operate/settings.ts'),
    version: () => import('./commands/operate/version.ts'),
  },
};

/** The descriptions of words that only group other commands. */
const PARENTS: Readonly<Record<string, string>> = {
  access: 'explain who has access, and request and decide temporary access',
  audit: 'verify the ledgers of a database',
  generate: 'generate code from the parameters of a project',
  serve: 'run one service, as a container or a system service does',
  key: 'list and replace the keys of service accounts',
  keys: 'list and rotate the keys that encrypt the database',
  integration: 'list and test connections to other stores',
  push: 'list, plan and run pushes to other stores',
  profile: 'list, select and delete names of addresses',
};

const HELP = [
  '',
  'Run `strata help <command>` for the options of a command.',
  '`strata settings` lists the settings of a server, which are environment variables.',
].join('\n');

/** Returns the examples of all commands, in the order of the help. */
export async function commandExamples(): Promise<readonly string[]> {
  const { groups } = await selectCommands(undefined);
  const loads = Object.values(groups).flatMap((commands) => Object.values(commands));
  const loadedCommands = await Promise.all(loads.map((load) => load()));
  return loadedCommands.flatMap(({ command }) => command.examples ?? []);
}

/** Returns the parser of the command line: of all commands, or of those that begin with a word, if there are any. */
export async function program(commandName?: string): Promise<Command> {
  const strata = new StrataCommand('strata')
    .description('Strata, a configuration service')
    .version(versionLine(), '-V, --version', 'print the version and the commit')
    .addHelpText('after', HELP)
    .configureHelp({ showGlobalOptions: false })
    .enablePositionalOptions()
    .showHelpAfterError('Run `strata help <command>` for its arguments and options.')
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2));
  const { groups, parents } = await selectCommands(commandName);
  for (const [title, commands] of Object.entries(groups)) {
    strata.commandsGroup(title);
    const commandLoads = Object.entries(commands).map(async ([name, load]) => [name, (await load()).command] as const);
    for (const [name, command] of await Promise.all(commandLoads)) addTo(strata, name.split(' '), command, parents);
  }
  return strata.commandsGroup('Other commands:').helpCommand('help [command]', 'print the help of a command');
}

/** Returns the commands that begin with a word. If there are none, returns all. */
async function selectCommands(commandName: string | undefined): Promise<{ groups: Groups; parents: typeof PARENTS }> {
  const selectedGroups = filterCommands(GROUPS, commandName);
  if (selectedGroups !== null) return { groups: selectedGroups, parents: PARENTS };
  const { nounCommands, nounDescriptions } = await import('./commands/administer/nouns.ts');
  const commandLoads = Object.entries(nounCommands()).map(
    ([name, command]) => [name, async () => ({ command })] as const,
  );
  const administer = { ...Object.fromEntries(commandLoads), ...GROUPS[ADMINISTER] };
  const groups = { ...GROUPS, [ADMINISTER]: administer };
  return { groups: filterCommands(groups, commandName) ?? groups, parents: { ...PARENTS, ...nounDescriptions() } };
}

function filterCommands(groups: Groups, commandName: string | undefined): Groups | null {
  const selectedGroups = Object.entries(groups).flatMap(([title, commands]) => {
    const matches = Object.entries(commands).filter(([name]) => name.split(' ')[0] === commandName);
    return matches.length > 0 ? [[title, Object.fromEntries(matches)] as const] : [];
  });
  return selectedGroups.length > 0 ? Object.fromEntries(selectedGroups) : null;
}

/** Adds a command of one word, or of two. */
function addTo(
  strata: Command,
  [first = '', secondWord]: readonly string[],
  command: CommandDefinition,
  parents: typeof PARENTS,
): void {
  if (secondWord === undefined) return void addCommand(strata, first, command);
  const parent = strata.commands.find((candidate) => candidate.name() === first);
  addCommand(parent ?? strata.command(first).description(parents[first] ?? ''), secondWord, command);
}

/** Runs the command of a command line. Prints an error and exits with 2 if there is no such command. */
export async function runCommand(argv: readonly string[]): Promise<void> {
  const strata = await program(commandWord(argv.slice(2)));
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

/** Returns the word that selects the command, also if its help or a completion of its options is requested. */
function commandWord([first, secondWord, third, ...otherWords]: readonly string[]): string | undefined {
  if (first === 'help') return secondWord;
  // The word of a command can itself be incomplete.
  return first === 'complete' && otherWords.length > 0 ? third : first;
}

async function end(error: unknown, asJson: boolean): Promise<never> {
  if (error instanceof CommandError) {
    const { printError } = await import('./core/output.ts');
    printError(error, asJson);
    process.exit(error.exitCode);
  }
  // Other classes of errors are bugs, and Node prints their stack.
  if (!(error instanceof OperatorError) && (error as Error).constructor !== Error) throw error;
  console.error((error as Error).message);
  process.exit(error instanceof OperatorError ? error.exitCode : 1);
}
