import { z } from 'zod';
import { AuditTrail } from './audit.ts';
import { CHANGESET_LIMITS } from './changeset-limits.ts';
import { errorMembers } from './error-members.ts';
import { linkOutput, timeOutput } from './fields.ts';
import { pageSchema } from './page.ts';
import { instantParameter, PageQuery, textParameter } from './query.ts';
import { RuleType } from './rule.ts';

export const ChangesetChange = z
  .object({
    url: linkOutput
      .nullable()
      .meta({ description: 'URL of the object, if it has one. The object may have been deleted since.' }),
    action: AuditTrail.shape.action.meta({ description: 'The action.' }),
    object_type: z
      .string()
      .meta({ description: 'Type of the object, such as Value: the types of the audit, Group and Webhook.' }),
    object_id: z.string().meta({ description: 'Id of the object.' }),
    object_name: z.string().meta({ description: 'Name of the object. For a value, the name of its parameter.' }),
    project_id: z.string().nullable().meta({ description: 'The project that the object belongs to.' }),
    project_name: z.string().nullable().meta({ description: 'Name of that project.' }),
    environment_id: z.string().nullable().meta({ description: 'The environment that the object belongs to.' }),
    environment_name: z.string().nullable().meta({ description: 'Name of that environment.' }),
    parameter_id: z.string().nullable().meta({ description: 'The parameter that the object belongs to.' }),
    parameter_name: z.string().nullable().meta({ description: 'Name of that parameter.' }),
  })
  .meta({ id: 'ChangesetChange', description: 'The net change of one object, without values.' });
export type ChangesetChange = z.infer<typeof ChangesetChange>;

export const AppliedOperation = z
  .object({
    index: z.int().meta({ description: 'Index of the operation in the request, from 0.' }),
    operation: z.string().meta({ description: 'Id of the operation, or set, unset or promote.' }),
    as: z.string().nullable().meta({ description: 'The reference name of the operation, as sent in the request.' }),
    id: z
      .string()
      .nullable()
      .meta({ description: 'Id of the object that was created or changed; null for operations on several objects.' }),
    changes: z.array(ChangesetChange).meta({ description: 'The action.' }),
  })
  .meta({ id: 'AppliedOperation', description: 'The result of one operation of a changeset.' });
export type AppliedOperation = z.infer<typeof AppliedOperation>;

export const AppliedChangeset = z
  .object({
    url: linkOutput.nullable().meta({ description: 'URL of the changeset; null if nothing changed.' }),
    revision: z.int().meta({ description: 'Revision of the changeset, or the latest revision if nothing changed.' }),
    message: z.string().nullable().meta({ description: 'The message of the changeset.' }),
    external_ref: z
      .string()
      .nullable()
      .meta({ description: 'Reference to an external system, such as a ticket or a commit.' }),
    operations: z.array(AppliedOperation).meta({ description: 'The result of each operation, in order.' }),
  })
  .meta({ id: 'ChangesetApplied', description: 'A changeset that was applied.' });
export type AppliedChangeset = z.infer<typeof AppliedChangeset>;

export const OperationError = z
  .object({
    index: z.int().meta({ description: 'Index of the operation in the request, from 0.' }),
    status: z
      .int()
      .nullable()
      .meta({ description: 'The HTTP status that a single request would get; null if the operation was skipped.' }),
    rules: z
      .array(RuleType)
      .optional()
      .meta({ description: 'The kinds of rules that were violated; absent if there are none.' }),
    error: z.unknown().meta({ description: 'The `application/json` body that a single request would get.' }),
    ...errorMembers,
  })
  .meta({ id: 'RefusedOperation', description: 'The reason why one operation of a changeset was rejected.' });
export type OperationError = z.infer<typeof OperationError>;

export const RecordedChangeset = z
  .object({
    url: linkOutput.meta({ description: 'URL of the object.' }),
    revision: z.int().meta({ description: 'The revision that the changeset created.' }),
    at: timeOutput.meta({ description: 'The time of the changeset.' }),
    actor_id: z
      .string()
      .nullable()
      .meta({ description: 'Id of the user who did it; null if you cannot access any of its changes.' }),
    actor_name: z.string().nullable().meta({ description: 'Name of the user at that time.' }),
    actor_type: z
      .string()
      .nullable()
      .meta({ description: '`interactive` (a person) or `service` (a service account).' }),
    surface: z
      .string()
      .nullable()
      .meta({ description: 'The interface that was used: `rest`, `graphql`, or the service itself.' }),
    message: z.string().nullable().meta({ description: 'The message of the changeset.' }),
    external_ref: z
      .string()
      .nullable()
      .meta({ description: 'Reference to an external system, such as a ticket or a commit.' }),
    change_count: z.int().meta({ description: 'Number of changes that the caller can access.' }),
    changes: z.array(ChangesetChange).meta({
      description: `The first changes: at most ${CHANGESET_LIMITS.shownChanges}, in lists at most ${CHANGESET_LIMITS.shownChangesInLists}.`,
    }),
  })
  .meta({ id: 'Changeset', description: 'One revision of the organization, with its author, changes and message.' });
export type RecordedChangeset = z.infer<typeof RecordedChangeset>;

export const ChangesetPage = pageSchema(RecordedChangeset, 'PaginatedChangesetList');

export const ChangesetListQuery = PageQuery.pick({ page: true, page_size: true }).extend({
  actor: textParameter('Only actions of this user.'),
  project: textParameter('Name or id of a project. Returns only changesets that changed something in it.'),
  environment: textParameter(
    'Name or id of an environment. Returns only changesets that changed something in it; with `project`, only in both.',
  ),
  since: instantParameter('At this time or later.'),
  q: textParameter('Text that the message or `external_ref` contains, ignoring case.'),
});
export type ChangesetListQuery = z.infer<typeof ChangesetListQuery>;
