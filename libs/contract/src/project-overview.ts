import { z } from 'zod';
import { timeOutput, uuidOutput } from './fields.ts';
import { ReadBy } from './last-read.ts';
import { countParameter, PageQuery, textParameter } from './query.ts';

export const OVERVIEW_LIMITS = {
  /** Secret values that expire within this time are listed. */
  expiringDays: 14,
  /** The listed expiring values of one project. `expiring_count` counts all. */
  expiringListed: 5,
  /** The default and the maximum of `within_ms`. */
  defaultWithinMs: 250,
  withinMs: 2_000,
  /** Projects with more parameters or values are not searched for findings. */
  lintedRows: 5_000,
} as const;

export const LastProjectChange = z
  .object({
    revision: z.int().meta({ description: 'The revision of the change.' }),
    at: timeOutput.meta({ description: 'When it was made.' }),
    actor_name: z.string().nullable().meta({ description: 'Who made it, by the name at that time.' }),
  })
  .meta({ id: 'LastProjectChange', description: 'The last change of a project that the caller can read.' });
export type LastProjectChange = z.infer<typeof LastProjectChange>;

export const ExpiringValue = z
  .object({
    parameter_name: z.string().meta({ description: 'Name of the parameter.' }),
    environment_name: z.string().meta({ description: 'Name of the environment that the value is set in.' }),
    expires_at: timeOutput.meta({ description: 'When the value expires or expired.' }),
  })
  .meta({ id: 'ExpiringValue', description: 'A secret value that has expired or expires soon.' });
export type ExpiringValue = z.infer<typeof ExpiringValue>;

export const ProjectInstances = z
  .object({
    environment_name: z.string().meta({ description: 'Name of the environment.' }),
    total: z.int().meta({ description: 'The number of instances that report.' }),
    lagging: z
      .int()
      .nullable()
      .meta({ description: 'The number of lagging instances; null if the time limit was reached before.' }),
    refused: z.int().nullable().meta({
      description:
        'The number of instances that rejected the configuration; null if the time limit was reached before.',
    }),
  })
  .meta({ id: 'ProjectInstances', description: 'The instances that run a project in one environment.' });
export type ProjectInstances = z.infer<typeof ProjectInstances>;

export const OverviewProject = z
  .object({
    project_id: uuidOutput.meta({ description: 'Id of the project.' }),
    project_name: z.string().meta({ description: 'Name of the project.' }),
    description: z.string().meta({ description: 'Description; may be empty.' }),
    parameter_count: z.int().meta({ description: 'Number of its own parameters.' }),
    value_count: z
      .int()
      .meta({ description: 'Number of values that are set, in environments that the caller can read.' }),
    environment_count: z.int().meta({ description: 'Number of these environments in which a value is set.' }),
    last_change: LastProjectChange.nullable().meta({
      description: 'Its last change; null if the caller can read none.',
    }),
    last_read_at: timeOutput.nullable().meta({
      description:
        'When a service account last read it, in an environment that the caller can read, to the minute; null if none did in the last 90 days.',
    }),
    last_read_by: ReadBy.nullable().meta({ description: 'The service account that did so.' }),
    expiring_count: z.int().meta({
      description: `Number of secret values that have expired or expire within ${OVERVIEW_LIMITS.expiringDays} days.`,
    }),
    expiring: z
      .array(ExpiringValue)
      .meta({ description: `The first ${OVERVIEW_LIMITS.expiringListed} of these values, by time.` }),
    finding_count: z
      .int()
      .nullable()
      .meta({
        description: `Number of findings of \`lint\`; null if they were not counted, because the time limit was reached or the project has more than ${OVERVIEW_LIMITS.lintedRows} parameters or values.`,
      }),
    instances: z
      .array(ProjectInstances)
      .meta({ description: 'The environments with reporting instances, sorted by name.' }),
  })
  .meta({ id: 'OverviewProject', description: 'A project with its counts, its last change and its problems.' });
export type OverviewProject = z.infer<typeof OverviewProject>;

export const ProjectOverview = z
  .object({
    revision: z.int().meta({ description: 'The revision of the organization that was read.' }),
    count: z.int().meta({ description: 'Number of projects that match the filter.' }),
    results: z.array(OverviewProject).meta({ description: 'The projects that the caller can read, sorted by name.' }),
  })
  .meta({ id: 'ProjectOverview', description: 'A page of projects with their counts, last changes and problems.' });
export type ProjectOverview = z.infer<typeof ProjectOverview>;

export const ProjectOverviewQuery = PageQuery.pick({ page: true, page_size: true }).extend({
  project: textParameter('Only the project with this name or id.'),
  within_ms: countParameter(
    0,
    OVERVIEW_LIMITS.withinMs,
    `Time limit in milliseconds for findings and instances, which take longer than counts; default ${OVERVIEW_LIMITS.defaultWithinMs}.`,
  ).default(OVERVIEW_LIMITS.defaultWithinMs),
});
export type ProjectOverviewQuery = z.infer<typeof ProjectOverviewQuery>;
