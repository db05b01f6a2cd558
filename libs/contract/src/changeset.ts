import { z } from 'zod';
import { CHANGESET_LIMITS, NOT_NEGATIVE } from './changeset-limits.ts';
import { name, text } from './fields.ts';
import { PromoteValues, place, SetValues, UnsetValues } from './named-values.ts';
import { planHash, seenPlan } from './seen-plan.ts';

const members = z.record(z.string(), z.unknown());

/** Exactly one of `operation`, `set`, `unset` and `promote`. */
const ChangesetOperation = z
  .strictObject({
    operation: name(128)
      .optional()
      .meta({ description: 'An operation of this API by its id, such as `projects_create`.' }),
    path: z
      .record(z.string(), place)
      .optional()
      .meta({ description: 'What stands in its path, by the names of the placeholders.' }),
    query: members.optional().meta({ description: 'Its query parameters.' }),
    body: members.optional().meta({ description: 'Its body.' }),
    as: name(CHANGESET_LIMITS.reference)
      .optional()
      .meta({ description: 'A name for what it makes: later operations refer to it by `{"$ref": name}`.' }),
    if_match: name(64).optional().meta({
      description:
        'Refuse it unless this is the `ledger_id` of the object before the changeset; of one that has none, its `modified_at`.',
    }),
    if_none_match: z
      .literal('*')
      .optional()
      .meta({ type: 'string', description: '`*`: what it makes must not be there already.' }),
    set: SetValues.optional().meta({ description: 'Values to set, by names.' }),
    unset: UnsetValues.optional().meta({ description: 'Values to delete, by names.' }),
    promote: PromoteValues.optional().meta({ description: 'Values to copy from another environment.' }),
  })
  .check((context) => {
    const kinds = OPERATION_KINDS.filter((kind) => context.value[kind] !== undefined);
    if (kinds.length === 1) return;
    const message = `Give exactly one of ${OPERATION_KINDS.join(', ')}.`;
    context.issues.push({ code: 'custom', input: undefined, message, params: { code: 'invalid' } });
  })
  .meta({ id: 'ChangesetOperation', description: 'One step of a changeset.' });
export type ChangesetOperation = z.output<typeof ChangesetOperation>;

export const OPERATION_KINDS = ['operation', 'set', 'unset', 'promote'] as const;

export const ChangesetRequest = z
  .strictObject({
    message: text({ max: CHANGESET_LIMITS.message, blank: 'allowed' })
      .nullable()
      .default(null)
      .meta({ description: 'Why, for people: history, feed and audit keep it.' }),
    external_ref: text({ max: CHANGESET_LIMITS.externalRef, blank: 'allowed' })
      .nullable()
      .default(null)
      .meta({ description: 'What it belongs to elsewhere, such as a ticket or a commit.' }),
    operations: z
      .array(ChangesetOperation)
      .min(1, 'Give at least one operation.')
      .max(CHANGESET_LIMITS.operations, `At most ${CHANGESET_LIMITS.operations} operations.`)
      .meta({ description: 'What to do, in this order. All of it or nothing.' }),
    base_revision: z
      .int()
      .min(0, NOT_NEGATIVE)
      .nullable()
      .default(null)
      .meta({ description: 'Refuse everything if anything that is written was changed after this revision.' }),
    plan_hash: planHash,
    plan: seenPlan,
  })
  .meta({ id: 'ChangesetCreate', description: 'Many changes as one: one revision, all or nothing.' });
export type ChangesetRequest = z.output<typeof ChangesetRequest>;
