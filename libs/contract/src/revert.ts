import { parseInstant } from '@strata/domain';
import { z } from 'zod';
import { CHANGESET_LIMITS, NOT_NEGATIVE } from './changeset-limits.ts';
import { ChangesetChange } from './changeset-response.ts';
import { LIMITS, linkOutput, nameField, textField } from './fields.ts';
import { force } from './last-read.ts';
import { NotRevertible, RevertConflict } from './revert-conflict.ts';
import { planHash, seenPlan } from './seen-plan.ts';

/** The maximum number of writes of one revert. Other writers wait for a revert, so it must not take long. */
export const REVERT_LIMITS = {
  rows: 20_000,
  /** The maximum number of entries of each kind in one response. The totals count all entries. */
  shown: 1_000,
} as const;

const requestFields = {
  on_conflict: z.enum(['abort', 'skip', 'overwrite']).default('abort').meta({
    description:
      'How to handle objects that cannot be restored without a conflict: reject the whole revert, skip these objects and their dependents, or discard the later changes.',
  }),
  message: textField({ max: CHANGESET_LIMITS.message, blank: 'allowed' })
    .nullable()
    .default(null)
    .meta({ description: 'Explanation for people. Default: a sentence that names the reverted object.' }),
  external_ref: textField({ max: CHANGESET_LIMITS.externalRef, blank: 'allowed' })
    .nullable()
    .default(null)
    .meta({ description: 'Reference to an external system, such as a ticket or a commit.' }),
  force,
  plan_hash: planHash,
  plan: seenPlan,
};

export const RevertChangesetRequest = z
  .strictObject({
    operations: z
      .array(
        z
          .int()
          .min(0, NOT_NEGATIVE)
          .max(CHANGESET_LIMITS.operations - 1, `Ensure this value is less than ${CHANGESET_LIMITS.operations}.`),
      )
      .min(1, 'Give at least one operation, or leave it out.')
      .max(CHANGESET_LIMITS.operations)
      .optional()
      .meta({
        description:
          'Revert only these operations: their indexes in the request, from 0. Default: all. An object that other operations of the changeset changed as well is a conflict (`shared_change`), and so is an object that requires one that they created (`needs_skipped`). States between two operations are not stored, so an object either gets its state before the changeset or stays unchanged.',
      }),
    ...requestFields,
  })
  .meta({ id: 'ChangesetRevert', description: 'Options of the revert of a changeset.' });
export type RevertChangesetRequest = z.output<typeof RevertChangesetRequest>;

const BARE_NUMBER =
  'A number alone may be a year or a revision. Set revision, or a date and time such as 2024-05-01T10:00:00Z.';

const instant = z
  .string({ error: ({ input }) => (typeof input === 'number' ? BARE_NUMBER : undefined) })
  .transform((input, context) => {
    const instant = parseInstant(input);
    if (instant !== null) return instant;
    context.addIssue({
      code: 'custom',
      message: /^\d+$/.test(input) ? BARE_NUMBER : 'Enter a valid date and time, such as 2024-05-01T10:00:00Z.',
      params: { code: 'invalid' },
    });
    return z.NEVER;
  })
  .meta({ type: 'string', format: 'date-time', description: 'The state at this time.' });

const pointInTimeFields = z
  .strictObject({
    revision: z.int().min(0, NOT_NEGATIVE).optional().meta({ description: 'The state after this revision.' }),
    as_of: instant.optional(),
    tag: nameField().optional().meta({ description: 'The state at the time of this tag. Requires `environment`.' }),
    environment: nameField()
      .optional()
      .meta({ description: 'Name or id of the environment that `tag` belongs to. It has no other effect.' }),
  })
  .check(exactlyOne(['revision', 'as_of', 'tag']))
  .meta({
    id: 'RevertMoment',
    description:
      'A point in time: a revision, a time or a tag. It cannot be before the first revision of the organization.',
  });

const SCOPES = ['project', 'environment', 'parameter', 'value'] as const;
export type RevertScopeKind = (typeof SCOPES)[number];

const link = (description: string) => nameField(LIMITS.link).optional().meta({ description: description });

const scope = z
  .strictObject({
    project: link('Name, id or URL of a project. Includes its parameters, rules, values and templates.'),
    environment: link('Name, id or URL of an environment. Includes the values set in it.'),
    parameter: link('Id or URL of a parameter. Includes its rules and values.'),
    value: link('Id or URL of a value.'),
  })
  .check(exactlyOne(SCOPES))
  .meta({ id: 'RevertScope', description: 'The object to restore. A deleted object must be given by its id.' });

export const RevertRequest = z
  .strictObject({
    to: pointInTimeFields.meta({ description: 'The point in time to restore.' }),
    scope: scope.meta({ description: 'The object to restore.' }),
    ...requestFields,
  })
  .meta({ id: 'Revert', description: 'The object to restore and the point in time.' });
export type RevertRequest = z.output<typeof RevertRequest>;

/** The members that both kinds of reverts share. */
export type RevertPolicy = RevertRequest['on_conflict'];

const describeShown = (description: string) => `${description}: the first ${REVERT_LIMITS.shown} of them.`;

export const Reverted = z
  .object({
    url: linkOutput.nullable().meta({ description: 'URL of the changeset; null if there was nothing to do.' }),
    revision: z
      .int()
      .meta({ description: 'Revision of the changeset, or the latest revision if there was nothing to do.' }),
    message: z.string().nullable().meta({ description: 'The message of the changeset.' }),
    external_ref: z
      .string()
      .nullable()
      .meta({ description: 'Reference to an external system, such as a ticket or a commit.' }),
    change_count: z.int().meta({ description: 'Number of restored objects.' }),
    changes: z.array(ChangesetChange).meta({ description: describeShown('The changes') }),
    conflict_count: z.int().meta({ description: 'Number of objects that were not restored.' }),
    conflicts: z
      .array(RevertConflict)
      .meta({ description: describeShown('The objects that were not restored, with the reason') }),
    not_revertible: z
      .array(NotRevertible)
      .meta({ description: describeShown('The changes that the revert did not undo') }),
  })
  .meta({ id: 'ChangesetReverted', description: 'A revert that was applied. It is itself a changeset.' });
export type Reverted = z.infer<typeof Reverted>;

/** Requires exactly one of several optional members. */
function exactlyOne(members: readonly string[]) {
  return (context: z.core.ParsePayload<Readonly<Record<string, unknown>>>): void => {
    if (members.filter((member) => context.value[member] !== undefined).length === 1) return;
    const message = `Set exactly one of ${members.join(', ')}.`;
    context.issues.push({
      code: 'custom',
      input: undefined,
      message,
      params: { code: 'invalid', values: { choices: members } },
    });
  };
}
