// The parts of the definitions of commands that several of them share.
import { type Command, Option } from 'commander';

type Action = (...args: never[]) => void | Promise<void>;

/** Returns an action that loads its module first. */
export const lazily =
  (load: () => Promise<Action>) =>
  async (...args: unknown[]): Promise<void> =>
    (await load())(...(args as never[]));

export const withUrl = (command: Command): Command =>
  command
    .option('--url <address>', 'address of Strata (default: STRATA_URL, strata.json, the last sign-in)')
    .option('--json', 'print JSON, errors too');

export const withProject = (command: Command): Command =>
  withUrl(command).option('-p, --project <name>', 'project (default: STRATA_PROJECT, strata.json)');

export const withScope = (command: Command): Command =>
  withProject(command).option('-e, --environment <name>', 'environment (default: STRATA_ENVIRONMENT, strata.json)');

export const withMoment = (command: Command): Command =>
  command
    .addOption(new Option('--revision <number>', 'the state after a revision').conflicts(['asOf', 'tag']))
    .addOption(new Option('--as-of <time>', 'the state at a time, such as 2026-11-25T10:00:00Z').conflicts('tag'))
    .option('--tag <name>', 'the state at the time of a tag');

export const ONLY_ENVIRONMENT = ['-e, --environment <name>', 'only this environment (default: all)'] as const;
export const DRY_RUN = ['--dry-run', 'only print the plan'] as const;
export const PLAN_HASH = [
  '--plan <hash>',
  'hash of the plan; if the effects have changed since, nothing is changed',
] as const;
export const YES = ['-y, --yes', 'apply without a plan and a confirmation'] as const;
export const REVEAL = ['--reveal', 'show secrets; the access log of Strata records it'] as const;

const ALLOW_NAME = [
  '--allow-name <name>',
  'permit a variable that can make programs run other code, such as PATH, or a pattern; repeatable (also: acceptNames in strata.json)',
] as const;

/** Adds the option for names that are otherwise rejected. */
export const withAllowName = (command: Command): Command => command.option(...ALLOW_NAME, collect);

/** Collects the values of an option that can be repeated. */
export const collect = (name: string, names: readonly string[] = []): readonly string[] => [...names, name];
