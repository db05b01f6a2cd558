import { parseInstant } from '@strata/domain';
import { z } from 'zod';
import { ChangesetChange } from './changeset-answer.ts';
import { CHANGESET_LIMITS, NOT_NEGATIVE } from './changeset-limits.ts';
import { LIMITS, linkOut, name, text } from './fields.ts';
import { NotRevertible, RevertConflict } from './revert-conflict.ts';
import { planHash, seenPlan } from './seen-plan.ts';

/** What one revert may write; it protects everybody else who waits to write. */
export const REVERT_LIMITS = {
  rows: 20_000,
  /** Changes, conflicts and what cannot be reverted that one answer shows; how many there are is told exactly. */
  shown: 1_000,
} as const;

const said = {
  on_conflict: z.enum(['abort', 'skip', 'overwrite']).default('abort').meta({
    description:
      'What becomes of objects that cannot simply be what they were: refuse everything; leave them, and what depends on them, as they are; or lose what was changed since.',
  }),
  message: text({ max: CHANGESET_LIMITS.message, blank: 'allowed' })
    .nullable()
    .default(null)
    .meta({ description: 'Why, for people. Absent: it says what is reverted.' }),
  external_ref: text({ max: CHANGESET_LIMITS.externalRef, blank: 'allowed' })
    .nullable()
    .default(null)
    .meta({ description: 'What it belongs to elsewhere, such as a ticket or a commit.' }),
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
          'Only what these operations of it did: their places in its request, from 0. Absent: all. An object that others of its operations wrote as well is a conflict (`shared_change`), and so is one that needs what they made (`needs_skipped`): what an object was between two operations is not kept, so it is what it was before the changeset or stays.',
      }),
    ...said,
  })
  .meta({ id: 'ChangesetRevert', description: 'How to take a changeset back.' });
export type RevertChangesetRequest = z.output<typeof RevertChangesetRequest>;

const BARE_NUMBER =
  'A number alone may be a year or a revision. Give revision, or a date and time such as 2024-05-01T10:00:00Z.';

const instant = z
  .string({ error: ({ input }) => (typeof input === 'number' ? BARE_NUMBER : undefined) })
  .transform((input, context) => {
    const found = parseInstant(input);
    if (found !== null) return found;
    context.addIssue({
      code: 'custom',
      message: /^\d+$/.test(input) ? BARE_NUMBER : 'Enter a valid date and time, such as 2024-05-01T10:00:00Z.',
      params: { code: 'invalid' },
    });
    return z.NEVER;
  })
  .meta({ type: 'string', format: 'date-time', description: 'As it was at this instant.' });

const moment = z
  .strictObject({
    revision: z.int().min(0, NOT_NEGATIVE).optional().meta({ description: 'As it was after this revision.' }),
    as_of: instant.optional(),
    tag: name().optional().meta({ description: 'As it was at the instant of this tag; needs `environment`.' }),
    environment: name()
      .optional()
      .meta({ description: 'Name or id of the environment that `tag` belongs to; nothing else depends on it.' }),
  })
  .check(exactlyOne(['revision', 'as_of', 'tag']))
  .meta({
    id: 'RevertMoment',
    description:
      'A point in time: a revision, an instant or a tag. Not before the first revision of the organization, when there was nothing.',
  });

const SCOPES = ['project', 'environment', 'parameter', 'value'] as const;
export type RevertScopeKind = (typeof SCOPES)[number];

const link = (what: string) => name(LIMITS.link).optional().meta({ description: what });

const scope = z
  .strictObject({
    project: link('Name, id or link of a project: itself with its parameters, rules, values and templates.'),
    environment: link('Name, id or link of an environment: itself with what is set in it.'),
    parameter: link('Id or link of a parameter: itself with its rules and values.'),
    value: link('Id or link of a value.'),
  })
  .check(exactlyOne(SCOPES))
  .meta({ id: 'RevertScope', description: 'What shall be as it was: one of these. What is gone is found by its id.' });

export const RevertRequest = z
  .strictObject({
    to: moment.meta({ description: 'As it was when.' }),
    scope: scope.meta({ description: 'What.' }),
    ...said,
  })
  .meta({ id: 'Revert', description: 'What shall be as it was, and when that was.' });
export type RevertRequest = z.output<typeof RevertRequest>;

/** How both kinds of revert go on. */
export type RevertPolicy = RevertRequest['on_conflict'];

const shownOf = (what: string) => `${what}: the first ${REVERT_LIMITS.shown} of them.`;

export const Reverted = z
  .object({
    url: linkOut.nullable().meta({ description: 'Link of the changeset; null when there was nothing to do.' }),
    revision: z.int().meta({ description: 'Its revision; the latest one when there was nothing to do.' }),
    message: z.string().nullable().meta({ description: 'Why.' }),
    external_ref: z.string().nullable().meta({ description: 'What it belongs to elsewhere.' }),
    change_count: z.int().meta({ description: 'How many objects are what they were.' }),
    changes: z.array(ChangesetChange).meta({ description: shownOf('What was done') }),
    conflict_count: z.int().meta({ description: 'How many objects were left as they are.' }),
    conflicts: z.array(RevertConflict).meta({ description: shownOf('What was left as it is, and why') }),
    not_revertible: z.array(NotRevertible).meta({ description: shownOf('What a revert does not take back') }),
  })
  .meta({ id: 'ChangesetReverted', description: 'A revert that was carried out. It is a changeset itself.' });
export type Reverted = z.infer<typeof Reverted>;

/** Of members that may be left out exactly one must be given. */
function exactlyOne(members: readonly string[]) {
  return (context: z.core.ParsePayload<Readonly<Record<string, unknown>>>): void => {
    if (members.filter((member) => context.value[member] !== undefined).length === 1) return;
    const message = `Give exactly one of ${members.join(', ')}.`;
    context.issues.push({ code: 'custom', input: undefined, message, params: { code: 'invalid' } });
  };
}
