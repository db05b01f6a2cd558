import { ERRORS_AFTER_LISTING } from '@strata/domain';
import { findPush, readKeys, readPlan, runPush } from '../../api/pushes.ts';
import { loadContext } from '../../core/context.ts';
import { defineCommand, requiredArgument, textOption } from '../../core/define-command.ts';
import { CommandError, EXIT } from '../../core/errors.ts';
import { maskTexts } from '../../core/names-only.ts';
import { RUN_TIMEOUT, URL_OPTIONS } from '../../core/options.ts';
import { print, printJson, printNote } from '../../core/output.ts';
import { printKeys } from '../../render/push-keys.ts';

/** Plans a push with a dry run, and prints what its next run does. */
export const command = defineCommand({
  description: 'print what the next run of a push does, after a dry run',
  arguments: { push: requiredArgument('name or id of the push') },
  options: {
    ...URL_OPTIONS,
    integration: textOption('--integration <name>', 'integration of the push, if several pushes have the name'),
    timeout: RUN_TIMEOUT,
  },
  examples: ['strata push plan to-aws'],
  async run({ push: name }, options) {
    const { client } = await loadContext(options);
    const push = await findPush(client, name, options.integration);
    const task = await runPush(client, push, { dry_run: true }, { waitMs: options.timeout * 1_000 });
    const hasListed = task.state === 'success' || ERRORS_AFTER_LISTING.includes(task.error_code ?? '');
    if (!hasListed) {
      const hint = 'There is no plan, because the run could not list the keys of the store.';
      throw new CommandError(EXIT.failed, task.error_detail ?? `The run is ${task.state}.`, { hint });
    }
    if (task.error_detail !== null) printNote(task.error_detail);
    const [plan, keys] = await Promise.all([readPlan(client, push), readKeys(client, push, { pending: 'true' })]);
    if (options.json) return printJson({ ...plan, keys: keys.map(maskTexts) });
    const { hash, waits_for_approval: _, hidden, ...counts } = plan;
    if (keys.length > 0) printKeys(keys);
    print(
      Object.entries(counts)
        .map(([countName, count]) => `${countName.replaceAll('_', ' ')} ${count}`)
        .join(', '),
    );
    if (hidden > 0) printNote(`${hidden} keys are in scopes that you may not access.`);
    print(`Plan ${hash}`);
    printNote('Run exactly this plan with `strata push run --plan <hash>`.');
  },
});
