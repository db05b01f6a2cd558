import { z } from 'zod';
import { AuditTrail } from './audit.ts';
import { flag, LIMITS, linkOut, name, text, timeOut } from './fields.ts';
import { pageOf } from './page.ts';
import { countParameter, flagParameter, instantParameter, PageQuery, textParameter } from './query.ts';

/** What one changeset may hold; it protects everybody else who waits to write. */
export const CHANGESET_LIMITS = {
  operations: 1_000,
  names: 5_000,
  message: 1_000,
  externalRef: 256,
  reference: 64,
  planHash: 256,
  /** Of the whole body. */
  bytes: 8 * 1_048_576,
  /** Changes that one answer shows; how many there are is told exactly. */
  shownChanges: 1_000,
  /** The same for each row of a list. */
  shownChangesInLists: 50,
  /** Entries of each kind that a plan shows; how many there are is told exactly. */
  shownInPlans: 1_000,
} as const;

export const NOT_NEGATIVE = 'Ensure this value is greater than or equal to 0.';

/** What an earlier operation made, by the name that it was given there. */
export interface Reference {
  readonly $ref: string;
}

/** A name, an id or a link; or a reference. */
export type Place = string | Reference;

export function isReference(input: unknown): input is Reference {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return false;
  const members = Object.entries(input);
  return members.length === 1 && members[0]?.[0] === '$ref' && typeof members[0][1] === 'string';
}

const place = z.unknown().transform((input, context): Place => {
  if (isReference(input)) return input;
  const parsed = name(LIMITS.link).safeParse(input);
  if (parsed.success) return parsed.data;
  context.addIssue({
    code: 'custom',
    message: 'Give a name, an id, a link or {"$ref": …}.',
    params: { code: 'invalid' },
  });
  return z.NEVER;
});

const members = z.record(z.string(), z.unknown());

/** A text that the one who sets it need not see. */
export const CopiedFrom = z
  .strictObject({
    environment: name(LIMITS.link).meta({ description: 'Name, id or link of the environment that it applies in.' }),
    project: name(LIMITS.link)
      .optional()
      .meta({ description: 'Name, id or link of the project that shows it; absent: the one that is set.' }),
    revision: z
      .int()
      .min(0, NOT_NEGATIVE)
      .optional()
      .meta({ description: 'As it was after this revision; absent: as it is when it is its turn.' }),
  })
  .meta({
    id: 'CopiedFrom',
    description: 'Where the same name has the text to set. A secret stays sealed on the way.',
  });
export type CopiedFrom = z.output<typeof CopiedFrom>;

const settable = z.preprocess(
  (input) => (typeof input === 'string' || input === null ? { value: input } : input),
  z
    .strictObject(
      {
        value: text({ max: LIMITS.internalValue, blank: 'allowed' })
          .nullable()
          .optional()
          .meta({ description: 'Its text; null is an explicit null. Either this or `from`.' }),
        from: CopiedFrom.optional().meta({ description: 'Where to copy the text from, instead of giving it.' }),
        secret: z.boolean().optional().meta({ description: 'Of a parameter that is made; of others it must match.' }),
        type: name().optional().meta({ description: 'Of a parameter that is made; of others it must match.' }),
        description: text({ max: LIMITS.description, blank: 'allowed' })
          .optional()
          .meta({ description: 'Of a parameter that is made; others keep theirs.' }),
        if_match: name(64)
          .optional()
          .meta({ description: 'Refuse it unless this is the `ledger_id` of the value that was set here before.' }),
        if_none_match: z
          .literal('*')
          .optional()
          .meta({ type: 'string', description: '`*`: no value may have been set here before.' }),
      },
      { error: ({ code }) => (code === 'invalid_type' ? 'Give a text, null, or an object with `value`.' : undefined) },
    )
    .refine((input) => (input.value === undefined) !== (input.from === undefined), {
      message: 'Give either value or from.',
      params: { code: 'invalid' },
    })
    .refine((input) => input.if_match === undefined || input.if_none_match === undefined, {
      message: 'Give if_match or if_none_match, not both.',
      params: { code: 'contradiction' },
    })
    .meta({ id: 'SettableValue', description: 'A value to set. Where only the text matters, it can stand alone.' }),
);
export type SettableValue = z.output<typeof settable>;

/** The same once it is known what `from` leads to. */
export type KnownValue = Omit<SettableValue, 'value'> & { readonly value: string | null };

const settableValues = z
  .record(name(), settable)
  .refine((values) => Object.keys(values).length <= CHANGESET_LIMITS.names, {
    message: `At most ${CHANGESET_LIMITS.names} names.`,
  })
  .meta({ description: 'Texts by names of parameters, or objects where more is to be said than the text.' });

const names = z
  .array(name())
  .min(1, 'Name something.')
  .max(CHANGESET_LIMITS.names, `At most ${CHANGESET_LIMITS.names} names.`);

const project = place.meta({ description: 'Name, id or link of the project, or a reference.' });
const environment = place.meta({ description: 'Name, id or link of the environment, or a reference.' });

const createMissing = flag.default(false).meta({
  description:
    'Whether parameters that are not there are made. Those that are inherited get one that overrides. Else such a name is refused.',
});
const touch = flag.default(false).meta({ description: 'Whether values that have this text already are set again.' });

export const SetValues = z
  .strictObject({ project, environment, values: settableValues, create_missing: createMissing, touch })
  .meta({ id: 'SetValues', description: 'Sets values of one project in one environment, by names of parameters.' });
export type SetValues = z.output<typeof SetValues>;

export const UnsetValues = z
  .strictObject({
    project,
    environment,
    names: names.meta({ description: 'Names of parameters whose values go. Where nothing is set, nothing is done.' }),
  })
  .meta({ id: 'UnsetValues', description: 'Deletes values that are set in one environment, by names of parameters.' });
export type UnsetValues = z.output<typeof UnsetValues>;

export const PromoteValues = z
  .strictObject({
    project,
    from: place.meta({ description: 'Name, id or link of the environment to copy from.' }),
    to: place.meta({ description: 'Name, id or link of the environment to copy to.' }),
    names: names.optional().meta({ description: 'Only these; absent: everything that is set in `from`.' }),
  })
  .meta({
    id: 'PromoteValues',
    description: 'Copies the values that are set in one environment to another. Secrets stay sealed.',
  });
export type PromoteValues = z.output<typeof PromoteValues>;

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
    if_match: name(64)
      .optional()
      .meta({ description: 'Refuse it unless this is the `ledger_id` of the object before the changeset.' }),
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

export const planHash = text({ max: CHANGESET_LIMITS.planHash, blank: 'allowed' })
  .nullable()
  .default(null)
  .meta({ description: 'Of a plan: refuse everything unless it still comes to what was planned.' });
export const seenPlan = z
  .record(z.string(), z.unknown())
  .nullable()
  .default(null)
  .meta({ description: 'The plan as it was answered: then a refusal by `plan_hash` tells what is different by now.' });

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

export const ChangesetChange = z
  .object({
    url: linkOut.nullable().meta({ description: 'Link of the object, where it has one; it may be gone.' }),
    action: AuditTrail.shape.action.meta({ description: 'What was done.' }),
    object_type: z
      .string()
      .meta({ description: 'What kind of object, such as Value; those of the audit, Group and Webhook.' }),
    object_id: z.string().meta({ description: 'Id of the object.' }),
    object_name: z.string().meta({ description: 'Its name; of a value, the name of its parameter.' }),
    project_id: z.string().nullable().meta({ description: 'The project it belongs to.' }),
    project_name: z.string().nullable().meta({ description: 'Name of that project.' }),
    environment_id: z.string().nullable().meta({ description: 'The environment it is about.' }),
    environment_name: z.string().nullable().meta({ description: 'Name of that environment.' }),
    parameter_id: z.string().nullable().meta({ description: 'The parameter it is about.' }),
    parameter_name: z.string().nullable().meta({ description: 'Name of that parameter.' }),
  })
  .meta({ id: 'ChangesetChange', description: 'What happened to one object: the net effect, never a value.' });
export type ChangesetChange = z.infer<typeof ChangesetChange>;

export const AppliedOperation = z
  .object({
    index: z.int().meta({ description: 'Its place in the request, from 0.' }),
    operation: z.string().meta({ description: 'The id of the operation; or set, unset or promote.' }),
    as: z.string().nullable().meta({ description: 'The name that it was given.' }),
    id: z.string().nullable().meta({ description: 'Id of what it made or changed; null where that may be many.' }),
    changes: z.array(ChangesetChange).meta({ description: 'What it did.' }),
  })
  .meta({ id: 'AppliedOperation', description: 'What one operation of a changeset did.' });
export type AppliedOperation = z.infer<typeof AppliedOperation>;

export const AppliedChangeset = z
  .object({
    url: linkOut.nullable().meta({ description: 'Link of the changeset; null when nothing changed.' }),
    revision: z.int().meta({ description: 'Its revision; the latest one when nothing changed.' }),
    message: z.string().nullable().meta({ description: 'Why.' }),
    external_ref: z.string().nullable().meta({ description: 'What it belongs to elsewhere.' }),
    operations: z.array(AppliedOperation).meta({ description: 'What each operation did, in their order.' }),
  })
  .meta({ id: 'ChangesetApplied', description: 'A changeset that was carried out.' });
export type AppliedChangeset = z.infer<typeof AppliedChangeset>;

export const RefusedOperation = z
  .object({
    index: z.int().meta({ description: 'Its place in the request, from 0.' }),
    status: z.int().nullable().meta({ description: 'The status that it would get alone; null when it was skipped.' }),
    code: z.string().meta({ description: 'The code of its refusal; `skipped`: it refers to one that was refused.' }),
    error: z.unknown().meta({ description: 'The body that it would be answered with alone.' }),
  })
  .meta({ id: 'RefusedOperation', description: 'Why one operation of a changeset was refused.' });
export type RefusedOperation = z.infer<typeof RefusedOperation>;

export const RecordedChangeset = z
  .object({
    url: linkOut.meta({ description: 'Its link.' }),
    revision: z.int().meta({ description: 'The revision that it made.' }),
    at: timeOut.meta({ description: 'When.' }),
    actor_id: z.string().nullable().meta({ description: 'Who did it; null unless some of it can be seen.' }),
    actor_name: z.string().nullable().meta({ description: 'Their name at that time.' }),
    actor_type: z.string().nullable().meta({ description: 'interactive or service.' }),
    surface: z
      .string()
      .nullable()
      .meta({ description: 'The door that it came through: rest, graphql, or the service itself.' }),
    message: z.string().nullable().meta({ description: 'Why.' }),
    external_ref: z.string().nullable().meta({ description: 'What it belongs to elsewhere.' }),
    change_count: z.int().meta({ description: 'How many changes the caller may see.' }),
    changes: z.array(ChangesetChange).meta({
      description: `The first of them: at most ${CHANGESET_LIMITS.shownChanges}, in lists ${CHANGESET_LIMITS.shownChangesInLists}.`,
    }),
  })
  .meta({ id: 'Changeset', description: 'One revision of the organization: who changed what, and why.' });
export type RecordedChangeset = z.infer<typeof RecordedChangeset>;

export const ChangesetPage = pageOf(RecordedChangeset, 'PaginatedChangesetList');

export const ChangesetListQuery = PageQuery.pick({ page: true, page_size: true }).extend({
  actor: textParameter('Only what this user did.'),
  project: textParameter('Name or id: only what changed something in this project.'),
  since: instantParameter('At this instant or later.'),
  q: textParameter('Words of the message or of `external_ref`, letter case ignored.'),
});
export type ChangesetListQuery = z.infer<typeof ChangesetListQuery>;

export const EffectiveChange = z
  .object({
    project_id: z.string().meta({ description: 'Id of the project.' }),
    project_name: z.string().meta({ description: 'Name of the project.' }),
    environment_id: z.string().meta({ description: 'Id of the environment.' }),
    environment_name: z.string().meta({ description: 'Name of the environment.' }),
    parameter_name: z.string().meta({ description: 'Name of the parameter.' }),
    kind: z.string().meta({ description: 'added, changed or removed.' }),
    before: z
      .string()
      .nullable()
      .meta({ description: 'The text before; null where there was none, or an explicit null.' }),
    after: z
      .string()
      .nullable()
      .meta({ description: 'The text after; null where there is none, or an explicit null.' }),
    masked: z
      .boolean()
      .meta({ description: 'Whether it is secret, or says something that is: then the texts are `*****`.' }),
    problem: z
      .string()
      .optional()
      .meta({ description: 'Why a text cannot be evaluated, which is null then; absent where both can.' }),
  })
  .meta({ id: 'EffectiveChange', description: 'What programs read differently, in one project and environment.' });
export type EffectiveChange = z.infer<typeof EffectiveChange>;

export const EffectiveChangePage = pageOf(EffectiveChange, 'PaginatedEffectiveChangeList');
export const EffectiveChangeQuery = PageQuery.pick({ page: true, page_size: true });

export const PutValues = z
  .object({ values: settableValues, create_missing: createMissing, touch })
  .meta({ id: 'ProjectValuesUpdate', description: 'Values to set, by names of parameters.' });
export type PutValues = z.output<typeof PutValues>;

export const PutValuesQuery = z.object({
  environment: textParameter('Name or id of the environment to set them in.').unwrap(),
  prune: flagParameter(
    'Delete values that are set in this environment and that the body does not name. Needs `If-Match` or `base_revision`.',
  ).default(false),
  base_revision: countParameter(
    0,
    Number.MAX_SAFE_INTEGER,
    'Refuse it if any of the values that it writes was changed after this revision.',
  ).optional(),
});
export type PutValuesQuery = z.infer<typeof PutValuesQuery>;

export const PutValue = z
  .object({
    name: z.string().meta({ description: 'Name of the parameter.' }),
    action: z.string().meta({ description: 'created, updated, unchanged or deleted.' }),
    parameter_id: z.string().meta({ description: 'Id of the parameter.' }),
    value_id: z.string().nullable().meta({ description: 'Id of the value; of one that is gone, the id that it had.' }),
  })
  .meta({ id: 'PutValue', description: 'What became of one name.' });
export type PutValue = z.infer<typeof PutValue>;

export const PutValuesAnswer = z
  .object({
    revision: z.int().meta({ description: 'The revision that was made; the latest one when nothing changed.' }),
    values: z.array(PutValue).meta({ description: 'What became of each name.' }),
  })
  .meta({ id: 'PutValues', description: 'What became of the names.' });
export type PutValuesAnswer = z.infer<typeof PutValuesAnswer>;
