import type { PushRun } from '@strata/contract';
import { findPush, readKeys, runPush } from '../../api/pushes.ts';
import { loadContext } from '../../core/context.ts';
import { defineCommand, listOption, requiredArgument, textOption } from '../../core/define-command.ts';
import { CommandError, EXIT, invalidInputError } from '../../core/errors.ts';
import { RUN_TIMEOUT, URL_OPTIONS } from '../../core/options.ts';
import { print, printJson } from '../../core/output.ts';

/** Runs a push, with an approved plan and decisions about single keys. */
export const command = defineCommand({
  description: 'run a push, and wait for its end',
  arguments: { push: requiredArgument('name or id of the push') },
  options: {
    ...URL_OPTIONS,
    integration: textOption('--integration <name>', 'integration of the push, if several pushes have the name'),
    timeout: RUN_TIMEOUT,
    plan: textOption('--plan <hash>', 'run exactly this plan of `strata push plan`, or nothing'),
    overwrite: listOption(
      '--overwrite <key>',
      'write this key although another program wrote it; requires --plan; can be repeated',
    ),
    delete: listOption(
      '--delete <key>',
      'delete this key that the push no longer contains; requires --plan; can be repeated',
    ),
    leave: listOption('--leave <key>', 'change nothing about this key; can be repeated'),
  },
  async run({ push: name }, options) {
    if (options.plan === undefined && (options.overwrite ?? options.delete) !== undefined)
      throw invalidInputError(
        '--overwrite and --delete require --plan, so that they apply to the versions that you have seen.',
        '`strata push plan` prints the keys and the hash of the plan.',
      );
    const { client } = await loadContext(options);
    const push = await findPush(client, name, options.integration);
    const decisionTexts = (['overwrite', 'delete', 'leave'] as const).flatMap((action) =>
      (options[action] ?? []).map((key) => ({ key, action })),
    );
    const versions =
      decisionTexts.length === 0
        ? new Map<string, string | null>()
        : new Map((await readKeys(client, push)).map(({ key, version }) => [key, version]));
    const decisions: PushRun['decisions'] = decisionTexts.map(({ key, action }) => {
      const version = versions.get(key);
      if (version === undefined)
        throw invalidInputError(`The push "${push.name}" has no key "${key}".`, '`strata push keys` lists them.');
      return { key, action, version };
    });
    const task = await runPush(
      client,
      push,
      { plan_hash: options.plan ?? null, decisions },
      { waitMs: options.timeout * 1_000 },
    );
    if (options.json) printJson((({ url: _url, ...row }) => row)(task));
    if (task.state === 'success') return options.json ? undefined : print(`The push "${push.name}" has run.`);
    const hint =
      task.next_attempt_at === null
        ? '`strata push keys` lists the keys.'
        : `It runs again at ${task.next_attempt_at}.`;
    const error = new CommandError(EXIT.failed, task.error_detail ?? `The run is ${task.state}.`, { hint });
    throw error;
  },
});
