import { z } from 'zod';
import { flagField, timeOutput } from './fields.ts';
import { State, Status, StepOperation } from './integration-fields.ts';
import { pageSchema } from './page.ts';
import {
  booleanParameter,
  choiceParameter,
  descriptionFilter,
  instantParameter,
  nameFilters,
  PageQuery,
  pointInTime,
  textParameter,
} from './query.ts';
import { vocabulary } from './vocabulary.ts';

export const TaskListQuery = PageQuery.extend({
  state: choiceParameter(State, 'Only tasks in this state.'),
  modified_at: instantParameter('Changed at exactly this time.'),
  modified_at__gte: instantParameter('Changed at this time or later.'),
  modified_at__lte: instantParameter('Changed at this time or earlier.'),
});
export type TaskListQuery = z.infer<typeof TaskListQuery>;

export const StepListQuery = PageQuery.extend({
  fqn: textParameter('Exact location.'),
  operation: choiceParameter(StepOperation, 'Only steps of this kind.'),
  success: booleanParameter('true returns only successful steps, false only others.').optional(),
  modified_at: instantParameter('Changed at exactly this time.'),
  modified_at__gte: instantParameter('Changed at this time or later.'),
  modified_at__lte: instantParameter('Changed at this time or earlier.'),
  venue_id: textParameter('Exact id in the external system.'),
  venue_id__icontains: textParameter('Part of the id in the external system.'),
  venue_name: textParameter('Exact name in the external system.'),
  venue_name__icontains: textParameter('Part of the name in the external system.'),
});
export type StepListQuery = z.infer<typeof StepListQuery>;

export const PullListQuery = PageQuery.extend({ ...nameFilters, ...descriptionFilter });
export type PullListQuery = z.infer<typeof PullListQuery>;

export const PushListQuery = PageQuery.extend({
  ...nameFilters,
  ...descriptionFilter,
  environment: textParameter('URL of an environment. Only pushes with one of its tags.'),
  project: textParameter('URL of a project. Only pushes of this project.'),
  tag: textParameter('URL of a tag. Only pushes of this tag.'),
});
export type PushListQuery = z.infer<typeof PushListQuery>;

export const IntegrationQuery = z.object({
  refresh_status: booleanParameter('Accepted and ignored: there is no connection to check.').optional(),
});

const IN_USE = ['fail', 'leave', 'remove'] as const;
const InUse = vocabulary(IN_USE, {
  name: 'InUse',
  description: 'How to delete an integration that is in use.',
  meaning: (choice) =>
    ({
      fail: 'Reject the deletion.',
      leave: 'Delete it and keep everything it wrote.',
      remove: 'Delete it and everything it wrote.',
    })[choice],
});
export const IntegrationDeleteQuery = z.object({
  in_use: choiceParameter(
    InUse,
    '`fail` rejects the deletion if the integration has pushes, or pulls that a person created.',
  ),
});
export type IntegrationDeleteQuery = z.infer<typeof IntegrationDeleteQuery>;

export const PullSyncRequest = z.object({
  dry_run: flagField.optional().meta({ description: 'Whether it is a dry run.' }),
});
export type PullSyncRequest = z.infer<typeof PullSyncRequest>;
export const DiscoveredContent = z
  .object({
    venue_id: z.string(),
    venue_name: z.string(),
    environment_name: z.string(),
    project_name: z.string(),
    parameter_name: z.string(),
  })
  .meta({ id: 'DiscoveredContent' });

export const DiscoveryResult = z
  .object({
    matched: z
      .record(z.string(), z.array(DiscoveredContent))
      .meta({ description: 'The matches of the pattern, by location.' }),
    skipped: z
      .record(z.string(), z.string())
      .meta({ description: 'The names that do not match, by location, with the reason.' }),
  })
  .meta({ id: 'DiscoveryResult', description: 'The result of a scan of the external system.' });
export type DiscoveryResult = z.infer<typeof DiscoveryResult>;

export const ConnectionTest = z
  .object({
    status: Status.meta({ description: 'connected if the provider accepts the settings, otherwise errored.' }),
    status_detail: z
      .string()
      .meta({ description: "The provider's reason; empty if the provider accepts the settings." }),
    status_last_checked_at: timeOutput.meta({ description: 'When the test started.' }),
    error_code: z
      .string()
      .nullable()
      .meta({ description: 'The error code; null if the provider accepts the settings.' }),
    pointer: z
      .string()
      .nullable()
      .meta({ description: 'A JSON pointer to the member that the provider rejects; null if none is known.' }),
  })
  .meta({ id: 'ConnectionTest', description: 'The result of a test of a connection.' });
export type ConnectionTest = z.infer<typeof ConnectionTest>;

const NODE_TYPES = ['directory', 'file', 'value'] as const;
const NodeType = vocabulary(NODE_TYPES, {
  name: 'IntegrationNodeType',
  description: 'The kind of an object in the external system.',
  meaning: (type) =>
    ({
      directory: 'A folder of keys, a service or a region.',
      file: 'A key with its content.',
      value: 'A part of a content.',
    })[type],
}).meta({ id: 'NodeTypeEnum' });

export const IntegrationNode = z
  .object({
    fqn: z.string().meta({ description: 'The location in the external system.' }),
    node_type: NodeType.meta({ description: 'The kind of the object.' }),
    secret: z.boolean().meta({ description: 'Whether the parameter is secret.' }),
    name: z.string().meta({ description: 'Name of the object.' }),
    jmespath: z.string().nullable().meta({ description: 'The JMESPath expression that was applied to its content.' }),
    content_type: z.string().nullable().meta({ description: 'Media type of its content.' }),
    content_data: z.string().nullable().meta({ description: 'The content, in a response about one file.' }),
    content_size: z.int().nullable().meta({ description: 'Size of its content in bytes.' }),
    content_keys: z.array(z.string()).nullable().meta({ description: 'Names in its content.' }),
    venue_id: z.string().nullable().meta({ description: 'Id in the external system.' }),
  })
  .meta({ id: 'IntegrationNode', description: 'One object in the external system.' });
export type IntegrationNode = z.infer<typeof IntegrationNode>;
export const IntegrationNodePage = pageSchema(IntegrationNode, 'PaginatedIntegrationNodeList');

export const ExploreQuery = PageQuery.extend({
  fqn: textParameter('A location: `scheme://authority/path`. Default: the integrations.'),
  jmes: textParameter('A JMESPath expression of members and indexes, to apply to the content of a file.'),
  page_token: textParameter('Ignored.'),
});
export type ExploreQuery = z.infer<typeof ExploreQuery>;

export const EnvironmentPushListQuery = PageQuery;
/** Runs have no history, so a point in time is validated but has no effect. */
export const ParameterPushListQuery = PageQuery.extend(pointInTime);
