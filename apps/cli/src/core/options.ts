// The options that several commands share.
import { flagOption, listOption, optionalList, textOption, wholeNumberOr } from './define-command.ts';

export const URL_OPTIONS = {
  url: textOption(
    '--url <address>',
    'address of Strata (default: STRATA_URL, STRATA_PROFILE, strata.json, the last sign-in)',
  ),
  profile: textOption('--profile <name>', 'profile of `strata login` (default: STRATA_PROFILE)', {
    conflicts: ['url'],
  }),
  json: flagOption('--json', 'print JSON, errors too'),
};

export const PROJECT_OPTIONS = {
  ...URL_OPTIONS,
  project: textOption('-p, --project <name>', 'project (default: STRATA_PROJECT, strata.json)'),
};

export const SCOPE_OPTIONS = {
  ...PROJECT_OPTIONS,
  environment: textOption('-e, --environment <name>', 'environment (default: STRATA_ENVIRONMENT, strata.json)'),
};

export const MOMENT_OPTIONS = {
  revision: textOption('--revision <number>', 'the state after a revision', { conflicts: ['asOf', 'tag'] }),
  asOf: textOption('--as-of <time>', 'the state at a time, such as 2026-11-25T10:00:00Z', { conflicts: ['tag'] }),
  tag: textOption('--tag <name>', 'the state at the time of a tag'),
};

export const RUN_TIMEOUT = wholeNumberOr(
  1_800,
  '--timeout <seconds>',
  'longest time to wait for the end of the run',
  86_400,
);
export const CONSOLE = textOption(
  '--console <address>',
  'address of the console (default: STRATA_CONSOLE_URL, the one that Strata names, the address of Strata)',
);
export const ENVIRONMENT_FILTER = textOption('-e, --environment <name>', 'only this environment (default: all)');
export const DRY_RUN = flagOption('--dry-run', 'only print the plan');
export const PLAN_HASH = textOption(
  '--plan <hash>',
  'hash of the plan; if the effects have changed since, nothing is changed',
);
export const YES = flagOption('-y, --yes', 'apply without a plan and a confirmation');
export const REVEAL = flagOption('--reveal', 'show secrets; the access log of Strata records it');

/** Permits names that are otherwise rejected. */
export const ALLOW_NAME = listOption(
  '--allow-name <name>',
  'permit a variable that can make programs run other code, such as PATH, or a pattern; repeatable (also: acceptNames in strata.json)',
);

export const MESSAGE_OPTIONS = {
  message: textOption('-m, --message <text>', 'message of the changeset'),
  externalRef: textOption('--external-ref <text>', 'reference to an external system, such as a ticket or a commit'),
};

export const ASSIGNMENTS = optionalList('NAME=value; NAME alone reads the value from the terminal or standard input');

export const ASSIGNMENT_OPTIONS = {
  null: listOption('--null <name>', 'set an explicit null; repeatable'),
  create: flagOption('--create', 'create parameters that do not exist, and override inherited ones'),
  secret: flagOption('--secret', 'the created parameters are secret'),
  type: textOption('--type <name>', 'type of the created parameters'),
};

export const CHANGESET_OPTIONS = {
  unset: listOption('--unset <name>', 'delete a value; repeatable'),
  file: listOption(
    '-f, --file <file>',
    'changeset as YAML or JSON; - is standard input; several files are one changeset',
  ),
};
