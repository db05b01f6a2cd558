import { z } from 'zod';
import { timeOut } from './fields.ts';
import {
  choicesParameter,
  flagParameter,
  momentParameters,
  namesParameter,
  repeatedParameter,
  textParameter,
} from './query.ts';

/** What one read of many effective configurations may ask for; it protects the process and whoever holds the answer. */
export const EFFECTIVE_BATCH_LIMITS = { projects: 50, environments: 50, combinations: 500, names: 500 } as const;
const { projects, environments, combinations, names } = EFFECTIVE_BATCH_LIMITS;

const completeValue = z.object({
  parameter_id: z.string().meta({ description: 'The parameter that the project shows under this name.' }),
  value: z.string().nullable().meta({ description: 'The text to use; `*****` for a masked secret.' }),
  secret: z.boolean().meta({ description: 'Whether the text is secret.' }),
  interpolated: z.boolean().meta({ description: 'Whether the stored text is one to evaluate.' }),
  evaluated: z.boolean().meta({ description: 'Whether `value` is the result of an evaluation.' }),
  value_id: z.string(),
  ledger_id: z.string().meta({ description: 'Names the revision of the value; new with each of its changes.' }),
  source_parameter_id: z.string().meta({ description: 'The parameter that the value is set on.' }),
  source_project_id: z.string().meta({ description: 'The project that owns that parameter.' }),
  source_project_name: z.string(),
  source_environment_id: z.string().meta({ description: 'The environment that the value is set in.' }),
  source_environment_name: z.string(),
  created_at: timeOut,
  modified_at: timeOut.nullable(),
});
export type CompleteEffectiveBatchValue = z.infer<typeof completeValue>;
const members = completeValue.keyof().options;

/** The effective value of one name, with where it was set: all members, or those that `include` names. */
export const EffectiveBatchValue = completeValue.partial().meta({
  id: 'EffectiveBatchValue',
  description: 'The effective value of one name, with where it was set: all members, or those that `include` names.',
});
export type EffectiveBatchValue = z.infer<typeof EffectiveBatchValue>;

/** Why one combination has no values. */
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
      .meta({ description: 'The texts that could not be evaluated.' }),
  })
  .meta({ id: 'EffectiveBatchError' });
export type EffectiveBatchError = z.infer<typeof EffectiveBatchError>;

/** One project as seen from one environment. */
export const EffectiveBatchResult = z
  .object({
    project_id: z.string(),
    project_name: z.string(),
    environment_id: z.string(),
    environment_name: z.string(),
    digest: z.string().nullable().meta({
      description: 'That of the effective configuration of this project and environment; null with an error.',
    }),
    has_secret: z.boolean(),
    values: z.record(z.string(), EffectiveBatchValue).nullable().meta({
      description: 'By name; null when the project or the environment is closed to who asks, or a text fails.',
    }),
    error: EffectiveBatchError.nullable(),
  })
  .meta({ id: 'EffectiveBatchResult' });
export type EffectiveBatchResult = z.infer<typeof EffectiveBatchResult>;

/** Effective configurations of several projects in several environments, all of one revision. */
export const EffectiveBatch = z
  .object({
    revision: z.int().meta({ description: 'The revision of the organization that was read.' }),
    results: z.array(EffectiveBatchResult).meta({
      description: 'The first project in each environment, then the second one, in the order of the question.',
    }),
  })
  .meta({ id: 'EffectiveBatch' });
export type EffectiveBatch = z.infer<typeof EffectiveBatch>;

export const EffectiveBatchQuery = z.object({
  project: repeatedParameter(projects, `Name or id of a project; given once for each, at most ${projects} times.`),
  environment: repeatedParameter(
    environments,
    `Name or id of an environment; given once for each, at most ${environments} times, and with the projects at most ${combinations} combinations.`,
  ),
  ...momentParameters,
  tag: textParameter('Read as it was at the instant of this tag of the environment; needs exactly one `environment`.'),
  name: repeatedParameter(names, 'Only parameters of this exact name, or of one of these.').optional(),
  name__in: namesParameter,
  include: choicesParameter(
    members,
    `Show only these members of each value, separated by commas; all when left out: ${members.join(', ')}.`,
  ),
  evaluate: flagParameter('Render dynamic values.').default(true),
  mask_secrets: flagParameter('Replace the text of secrets by `*****`.').default(false),
});
export type EffectiveBatchQuery = z.infer<typeof EffectiveBatchQuery>;
