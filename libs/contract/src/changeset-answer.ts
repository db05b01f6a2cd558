import { z } from 'zod';
import { AuditTrail } from './audit.ts';
import { CHANGESET_LIMITS } from './changeset-limits.ts';
import { linkOut, timeOut } from './fields.ts';
import { pageOf } from './page.ts';
import { instantParameter, PageQuery, textParameter } from './query.ts';
import { RuleType } from './rule.ts';

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
    rules: z
      .array(RuleType)
      .optional()
      .meta({ description: 'The kinds of rules that the refusal is about; absent where it is about none.' }),
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
  environment: textParameter('Name or id: only what changed something in this environment; with a project, there.'),
  since: instantParameter('At this instant or later.'),
  q: textParameter('Words of the message or of `external_ref`, letter case ignored.'),
});
export type ChangesetListQuery = z.infer<typeof ChangesetListQuery>;
