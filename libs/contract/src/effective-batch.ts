import { z } from 'zod';
import { timeOutput } from './fields.ts';
import {
  booleanParameter,
  choicesParameter,
  namesParameter,
  pointInTimeParameters,
  repeatedParameter,
  textParameter,
} from './query.ts';
import { Value } from './value.ts';

/**
 * The limits of one batch read of effective configurations. They limit the memory that the server and the client need.
 */
export const EFFECTIVE_BATCH_LIMITS = { projects: 50, environments: 50, combinations: 500, names: 500 } as const;
const { projects, environments, combinations, names } = EFFECTIVE_BATCH_LIMITS;

const completeValue = z.object({
  parameter_id: z.string().meta({ description: 'The parameter with this name, as the project shows it.' }),
  value: z.string().nullable().meta({ description: 'The effective text; `*****` for a masked secret.' }),
  secret: z.boolean().meta({ description: 'Whether the text is secret.' }),
  interpolated: z.boolean().meta({ description: 'Whether the stored text is evaluated (dynamic).' }),
  evaluated: z.boolean().meta({ description: 'Whether `value` is the result of an evaluation.' }),
  value_id: z.string(),
  ledger_id: z.string().meta({ description: 'Version of the value. It is new after each change.' }),
  source_parameter_id: z.string().meta({ description: 'The parameter that the value is set on.' }),
  source_project_id: z.string().meta({ description: 'The project that owns that parameter.' }),
  source_project_name: z.string(),
  source_environment_id: z.string().meta({ description: 'The environment that the value is set in.' }),
  source_environment_name: z.string(),
  created_at: timeOutput,
  modified_at: timeOutput.nullable(),
  ...Value.pick({
    external_fqn: true,
    external_filter: true,
    external_error: true,
    internal_value: true,
    referenced_projects: true,
    referenced_parameters: true,
    referenced_templates: true,
    expires_at: true,
  }).shape,
});
export type CompleteEffectiveBatchValue = z.infer<typeof completeValue>;
const members = completeValue.keyof().options;

/** The effective value of one parameter and the cell that sets it. `include` can restrict the members. */
export const EffectiveBatchValue = completeValue.partial().meta({
  id: 'EffectiveBatchValue',
  description: 'The effective value of one parameter and where it is set: all members, or those that `include` lists.',
});
export type EffectiveBatchValue = z.infer<typeof EffectiveBatchValue>;

/** The reason why one combination has no values. */
export const EffectiveBatchError = z
  .object({
    code: z.string().meta({ description: '`forbidden`, or `evaluation_failed`.' }),
    detail: z.string(),
    problems: z
      .array(
        z
          .object({
            parameter_id: z.string(),
            parameter_name: z.string(),
            error_code: z.string(),
            error_detail: z.string(),
          })
          .meta({ id: 'EffectiveBatchProblem' }),
      )
      .meta({ description: 'The texts that cannot be evaluated.' }),
  })
  .meta({ id: 'EffectiveBatchError' });
export type EffectiveBatchError = z.infer<typeof EffectiveBatchError>;

/** The effective configuration of one project in one environment. */
export const EffectiveBatchResult = z
  .object({
    project_id: z.string(),
    project_name: z.string(),
    environment_id: z.string(),
    environment_name: z.string(),
    digest: z.string().nullable().meta({
      description: 'Digest of the effective configuration of this project and environment; null with an error.',
    }),
    has_secret: z.boolean(),
    values: z.record(z.string(), EffectiveBatchValue).nullable().meta({
      description:
        'The values by name; null if the caller cannot access the project or the environment, or if a text cannot be evaluated.',
    }),
    error: EffectiveBatchError.nullable(),
  })
  .meta({ id: 'EffectiveBatchResult' });
export type EffectiveBatchResult = z.infer<typeof EffectiveBatchResult>;

/** The effective configurations of several projects in several environments, all at one revision. */
export const EffectiveBatch = z
  .object({
    revision: z.int().meta({ description: 'The revision of the organization that was read.' }),
    results: z.array(EffectiveBatchResult).meta({
      description: 'The first project in each environment, then the second, in the order of the request.',
    }),
  })
  .meta({ id: 'EffectiveBatch' });
export type EffectiveBatch = z.infer<typeof EffectiveBatch>;

export const EffectiveBatchQuery = z.object({
  project: repeatedParameter(
    projects,
    `Name or id of a project. Repeat the parameter for several, at most ${projects} times.`,
  ),
  environment: repeatedParameter(
    environments,
    `Name or id of an environment. Repeat the parameter for several, at most ${environments} times; projects × environments must not exceed ${combinations}.`,
  ),
  ...pointInTimeParameters,
  tag: textParameter('Read the state at the time of this tag of the environment. Requires exactly one `environment`.'),
  name: repeatedParameter(
    names,
    'Only parameters with this exact name. Repeat the parameter for several names.',
  ).optional(),
  name__in: namesParameter,
  include: choicesParameter(
    members,
    `The members of each value to return, separated by commas; default all: ${members.join(', ')}.`,
  ),
  evaluate: booleanParameter('Evaluate dynamic values.').default(true),
  mask_secrets: booleanParameter('Replace the text of secrets by `*****`.').default(false),
});
export type EffectiveBatchQuery = z.infer<typeof EffectiveBatchQuery>;
