import { z } from 'zod';
import { flag } from './fields.ts';
import { STEP_OPERATIONS, TASK_STATES } from './integration-fields.ts';
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

export const TaskListQuery = PageQuery.extend({
  state: choiceParameter(TASK_STATES, 'Only tasks in this state.'),
  modified_at: instantParameter('Changed at exactly this instant.'),
  modified_at__gte: instantParameter('Changed at this instant or later.'),
  modified_at__lte: instantParameter('Changed at this instant or earlier.'),
});
export type TaskListQuery = z.infer<typeof TaskListQuery>;

export const StepListQuery = PageQuery.extend({
  fqn: textParameter('Exactly this place.'),
  operation: choiceParameter(STEP_OPERATIONS, 'Only steps that did this.'),
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
export const IntegrationDeleteQuery = z.object({
  in_use: choiceParameter(IN_USE, '`fail` refuses when it has pushes, or pulls that a person made.'),
});
export type IntegrationDeleteQuery = z.infer<typeof IntegrationDeleteQuery>;

export const PullSync = z.object({ dry_run: flag.optional() });
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
    matched: z.record(z.string(), z.array(DiscoveredContent)),
    skipped: z.record(z.string(), z.string()),
  })
  .meta({ id: 'DiscoveryResult' });
export type DiscoveryResult = z.infer<typeof DiscoveryResult>;

export const NODE_TYPES = ['directory', 'file', 'value'] as const;

export const IntegrationNode = z
  .object({
    fqn: z.string(),
    node_type: z.enum(NODE_TYPES).meta({ id: 'NodeTypeEnum' }),
    secret: z.boolean(),
    name: z.string(),
    jmespath: z.string().nullable(),
    content_type: z.string().nullable(),
    content_data: z.string().nullable(),
    content_size: z.int().nullable(),
    content_keys: z.array(z.string()).nullable(),
    venue_id: z.string().nullable(),
  })
  .meta({ id: 'IntegrationNode' });
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
