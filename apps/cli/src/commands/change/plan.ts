import { loadContext } from '../../core/context.ts';
import { defineCommand, flagOption } from '../../core/define-command.ts';
import {
  ASSIGNMENT_OPTIONS,
  ASSIGNMENTS,
  CHANGESET_OPTIONS,
  MESSAGE_OPTIONS,
  SCOPE_OPTIONS,
} from '../../core/options.ts';
import { readChangeset } from '../../core/read-changeset.ts';
import { printPlan } from '../../render/plan.ts';

/** Prints what a changeset would do, and its hash. */
export const command = defineCommand({
  description: 'print what a changeset would do, with the hash of the plan; exits with 7 if Strata would reject it',
  arguments: { values: ASSIGNMENTS },
  options: {
    ...{ ...SCOPE_OPTIONS, ...MESSAGE_OPTIONS, ...ASSIGNMENT_OPTIONS, ...CHANGESET_OPTIONS },
    assumeWrite: flagOption(
      '--assume-write',
      'plan as if your role could write; an account that can apply it has another hash',
    ),
  },
  examples: ['strata plan PORT=8082'],
  async run({ values }, { assumeWrite = false, ...options }) {
    const context = await loadContext(options);
    const body = await readChangeset(context, values, options);
    await printPlan(context.client, { body }, { ...options, assumeWrite });
  },
});
