import { z } from 'zod';
import { CHANGESET_LIMITS, NOT_NEGATIVE } from './changeset-limits.ts';
import { nameField, textField } from './fields.ts';
import { force } from './last-read.ts';
import { nameOrReference, PromoteValues, SetValues, UnsetValues } from './named-values.ts';
import { planHash, seenPlan } from './seen-plan.ts';

const members = z.record(z.string(), z.unknown());

/** A step has exactly one of `operation`, `set`, `unset` and `promote`. */
const ChangesetOperation = z
  .strictObject({
    operation: nameField(128)
      .optional()
      .meta({ description: 'An operation of this API by its id, such as `projects_create`.' }),
    path: z
      .record(z.string(), nameOrReference)
      .optional()
      .meta({ description: 'Values for the placeholders of the path, by name.' }),
    query: members.optional().meta({ description: 'The query parameters.' }),
    body: members.optional().meta({ description: 'The response body.' }),
    as: nameField(CHANGESET_LIMITS.reference)
      .optional()
      .meta({ description: 'A name for the created object. Later operations refer to it by `{"$ref": name}`.' }),
    if_match: nameField(64).optional().meta({
      description:
        'Reject the operation unless the object has this `ledger_id` before the changeset. For objects without `ledger_id`, use `modified_at`.',
    }),
    if_none_match: z
      .literal('*')
      .optional()
      .meta({ type: 'string', description: '`*`: reject the operation if the object already exists.' }),
    set: SetValues.optional().meta({ description: 'Values to set, by parameter name.' }),
    unset: UnsetValues.optional().meta({ description: 'Values to delete, by parameter name.' }),
    promote: PromoteValues.optional().meta({ description: 'Values to copy from another environment.' }),
  })
  .check((context) => {
    const kinds = OPERATION_KINDS.filter((kind) => context.value[kind] !== undefined);
    if (kinds.length === 1) return;
    const message = `Set exactly one of ${OPERATION_KINDS.join(', ')}.`;
    context.issues.push({
      code: 'custom',
      input: undefined,
      message,
      params: { code: 'invalid', values: { choices: OPERATION_KINDS } },
    });
  })
  .meta({ id: 'ChangesetOperation', description: 'One operation of a changeset.' });
export type ChangesetOperation = z.output<typeof ChangesetOperation>;

const OPERATION_KINDS = ['operation', 'set', 'unset', 'promote'] as const;

export const ChangesetRequest = z
  .strictObject({
    message: textField({ max: CHANGESET_LIMITS.message, blank: 'allowed' })
      .nullable()
      .default(null)
      .meta({ description: 'Explanation for people. It is stored in the history, the change feed and the audit.' }),
    external_ref: textField({ max: CHANGESET_LIMITS.externalRef, blank: 'allowed' })
      .nullable()
      .default(null)
      .meta({ description: 'Reference to an external system, such as a ticket or a commit.' }),
    operations: z
      .array(ChangesetOperation)
      .min(1, 'Give at least one operation.')
      .max(CHANGESET_LIMITS.operations, `At most ${CHANGESET_LIMITS.operations} operations.`)
      .meta({ description: 'The operations, in order. Either all of them are applied or none.' }),
    base_revision: z
      .int()
      .min(0, NOT_NEGATIVE)
      .nullable()
      .default(null)
      .meta({ description: 'Reject the whole changeset if any object it writes was changed after this revision.' }),
    force,
    plan_hash: planHash,
    plan: seenPlan,
  })
  .meta({
    id: 'ChangesetCreate',
    description: 'Several changes that are applied together or not at all, as one revision.',
  });
export type ChangesetRequest = z.output<typeof ChangesetRequest>;
