import { z } from 'zod';
import { linkOut, timeOut, uuidOut } from './fields.ts';
import { pageOf } from './page.ts';
import { instantParameter, PageQuery, textParameter } from './query.ts';

const textOrNull = z.string().nullable();
const linkOrNull = linkOut.nullable();
const uuidOrNull = uuidOut.nullable();

/** One thing that a push to an integration did. There are no integrations yet, so lists of them are empty. */
export const TaskStep = z
  .object({
    url: linkOut,
    id: uuidOut,
    success: z.boolean(),
    success_detail: textOrNull.optional(),
    fqn: textOrNull.optional(),
    environment: linkOrNull,
    environment_id: uuidOrNull.optional(),
    environment_name: textOrNull.optional(),
    project: linkOrNull,
    project_id: uuidOrNull.optional(),
    project_name: textOrNull.optional(),
    parameter: linkOrNull,
    parameter_id: uuidOrNull.optional(),
    parameter_name: textOrNull.optional(),
    venue_id: textOrNull.optional(),
    venue_name: textOrNull.optional(),
    summary: textOrNull.optional(),
    error_code: textOrNull.optional(),
    error_detail: textOrNull.optional(),
    created_at: timeOut,
    modified_at: timeOut.nullable(),
  })
  .meta({ id: 'TaskStep' });
export type TaskStep = z.infer<typeof TaskStep>;

export const TaskStepPage = pageOf(TaskStep, 'PaginatedTaskStepList');

export const EnvironmentPushesQuery = PageQuery;
export const ParameterPushesQuery = PageQuery.extend({
  as_of: instantParameter('Only pushes up to this instant.'),
  tag: textParameter('A tag: only pushes up to its instant.'),
});
