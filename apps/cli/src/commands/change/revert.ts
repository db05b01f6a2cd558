import { loadContext } from '../../core/context.ts';
import { choice, defineCommand, requiredArgument } from '../../core/define-command.ts';
import { invalidInputError } from '../../core/errors.ts';
import { DRY_RUN, MESSAGE_OPTIONS, PLAN_HASH, URL_OPTIONS, YES } from '../../core/options.ts';
import { describeChangeset } from '../../core/read-changeset.ts';
import { applyPlanned, printApplied, printPlan } from '../../render/plan.ts';

/** Reverts a changeset. */
export const command = defineCommand({
  description: 'revert a changeset, after a confirmation of the plan',
  arguments: { revision: requiredArgument('revision of the changeset') },
  options: {
    ...URL_OPTIONS,
    ...MESSAGE_OPTIONS,
    onConflict: choice('--on-conflict <way>', 'what to do with later changes', ['abort', 'skip', 'overwrite']),
    ...{ dryRun: DRY_RUN, plan: PLAN_HASH, yes: YES },
  },
  examples: [
    'strata revert "$(strata history --limit 1 --json | node -p \'JSON.parse(fs.readFileSync(0))[0].revision\')" --yes',
  ],
  async run({ revision }, options) {
    if (!/^\d+$/.test(revision)) throw invalidInputError('A revision is a number.', '`strata history` lists them.');
    const { client } = await loadContext(options);
    const { onConflict } = options;
    const body = { ...describeChangeset(options), ...(onConflict && { on_conflict: onConflict }) };
    const write = { body, reverted: revision };
    if (options.dryRun) return printPlan(client, write, { json: options.json ?? false });
    printApplied(await applyPlanned(client, write, options), options);
  },
});
