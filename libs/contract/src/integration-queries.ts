import { z } from 'zod';
import { flag } from './fields.ts';
import { State, StepOperation } from './integration-fields.ts';
import { pageOf } from './page.ts';
import {
  choiceParameter,
  flagParameter,
  instantParameter,
  nameFilters,
  PageQuery,
  pointInTime,
  textParameter,
} from './query.ts';
import { vocabulary } from './vocabulary.ts';

export const TaskListQuery = PageQuery.extend({
  state: choiceParameter(State, 'Only tasks in this state.'),
  modified_at: instantParameter('Changed at exactly this instant.'),
  modified_at__gte: instantParameter('Changed at this instant or later.'),
  modified_at__lte: instantParameter('Changed at this instant or earlier.'),
});
export type TaskListQuery = z.infer<typeof TaskListQuery>;

export const StepListQuery = PageQuery.extend({
  fqn: textParameter('Exactly this place.'),
  operation: choiceParameter(StepOperation, 'Only steps that did this.'),
  success: flagParameter('Only steps that went well, or only the others.').optional(),
  modified_at: instantParameter('Changed at exactly this instant.'),
  modified_at__gte: instantParameter('Changed at this instant or later.'),
  modified_at__lte: instantParameter('Changed at this instant or earlier.'),
  venue_id: textParameter('Exactly this id on the other side.'),
  venue_id__icontains: textParameter('Part of the id on the other side.'),
  venue_name: textParameter('Exactly this name on the other side.'),
  venue_name__icontains: textParameter('Part of the name on the other side.'),
});
export type StepListQuery = z.infer<typeof StepListQuery>;

export const PullListQuery = PageQuery.extend(nameFilters);
export type PullListQuery = z.infer<typeof PullListQuery>;

export const PushListQuery = PageQuery.extend({
  ...nameFilters,
  environment: textParameter('Link of an environment: pushes with a tag of it.'),
  project: textParameter('Link of a project: pushes of it.'),
  tag: textParameter('Link of a tag: pushes of it.'),
});
export type PushListQuery = z.infer<typeof PushListQuery>;

export const IntegrationQuery = z.object({
  refresh_status: flagParameter('Look at the connection now. Nothing to look at here: ignored.').optional(),
});

export const IN_USE = ['fail', 'leave', 'remove'] as const;
const InUse = vocabulary(IN_USE, {
  name: 'InUse',
  description: 'What to do with an integration that is in use.',
  meaning: (choice) =>
    ({
      fail: 'Refuse.',
      leave: 'Delete it, and leave what it wrote.',
      remove: 'Delete it, and what it wrote.',
    })[choice],
});
export const IntegrationDeleteQuery = z.object({
  in_use: choiceParameter(InUse, '`fail` refuses when it has pushes, or pulls that a person made.'),
});
export type IntegrationDeleteQuery = z.infer<typeof IntegrationDeleteQuery>;

export const PullSync = z.object({
  dry_run: flag.optional().meta({ description: 'Whether it only says what it would do.' }),
});
export type PullSync = z.infer<typeof PullSync>;
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
    matched: z.record(z.string(), z.array(DiscoveredContent)).meta({ description: 'What fits the pattern, by place.' }),
    skipped: z.record(z.string(), z.string()).meta({ description: 'What does not, by place, and why.' }),
  })
  .meta({ id: 'DiscoveryResult', description: 'What was found on the other side.' });
export type DiscoveryResult = z.infer<typeof DiscoveryResult>;

export const NODE_TYPES = ['directory', 'file', 'value'] as const;
const NodeType = vocabulary(NODE_TYPES, {
  name: 'IntegrationNodeType',
  description: 'What a thing on the other side is.',
  meaning: (type) => `A ${type}.`,
}).meta({ id: 'NodeTypeEnum' });

export const IntegrationNode = z
  .object({
    fqn: z.string().meta({ description: 'Its place.' }),
    node_type: NodeType.meta({ description: 'What it is.' }),
    secret: z.boolean().meta({ description: 'Whether it is secret.' }),
    name: z.string().meta({ description: 'Its name.' }),
    jmespath: z.string().nullable().meta({ description: 'What was taken from its content.' }),
    content_type: z.string().nullable().meta({ description: 'Media type of its content.' }),
    content_data: z.string().nullable().meta({ description: 'Its content.' }),
    content_size: z.int().nullable().meta({ description: 'Size of its content in bytes.' }),
    content_keys: z.array(z.string()).nullable().meta({ description: 'Names in its content.' }),
    venue_id: z.string().nullable().meta({ description: 'Its id there.' }),
  })
  .meta({ id: 'IntegrationNode', description: 'One thing on the other side.' });
export type IntegrationNode = z.infer<typeof IntegrationNode>;
export const IntegrationNodePage = pageOf(IntegrationNode, 'PaginatedIntegrationNodeList');

export const ExploreQuery = PageQuery.extend({
  fqn: textParameter('A place: `scheme://authority/path`. Absent: where one can begin.'),
  jmes: textParameter('What to take from the content there.'),
  page_token: textParameter('Ignored.'),
});
export type ExploreQuery = z.infer<typeof ExploreQuery>;

export const EnvironmentPushListQuery = PageQuery;
/** Runs have no history of their own; a point in time has to make sense, and makes no difference. */
export const ParameterPushListQuery = PageQuery.extend(pointInTime);
