import { loadContext } from '../../core/context.ts';
import { defineCommand } from '../../core/define-command.ts';
import {
  ASSIGNMENT_OPTIONS,
  ASSIGNMENTS,
  CHANGESET_OPTIONS,
  MESSAGE_OPTIONS,
  PLAN_HASH,
  SCOPE_OPTIONS,
  YES,
} from '../../core/options.ts';
import { readChangeset } from '../../core/read-changeset.ts';
import { applyPlanned, printApplied } from '../../render/plan.ts';

/** Applies a changeset: as it was planned, or after the user has confirmed the plan. */
export const command = defineCommand({
  description: 'apply a changeset exactly as planned, or plan it and apply it after a confirmation',
  arguments: { values: ASSIGNMENTS },
  options: {
    ...{ ...SCOPE_OPTIONS, ...MESSAGE_OPTIONS, ...ASSIGNMENT_OPTIONS, ...CHANGESET_OPTIONS },
    ...{ plan: PLAN_HASH, yes: YES },
  },
  examples: ['strata apply PORT=8082 --yes'],
  async run({ values }, options) {
    const context = await loadContext(options);
    const body = await readChangeset(context, values, options);
    printApplied(await applyPlanned(context.client, { body }, options), options);
  },
});
