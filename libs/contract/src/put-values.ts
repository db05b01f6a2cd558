import { z } from 'zod';
import { forceParameter } from './last-read.ts';
import { createMissing, settableValues, touch } from './named-values.ts';
import { booleanParameter, countParameter, textParameter } from './query.ts';

export const PutValues = z
  .object({ values: settableValues, create_missing: createMissing, touch })
  .meta({ id: 'ProjectValuesUpdate', description: 'Values to set, by parameter name.' });
export type PutValues = z.output<typeof PutValues>;

export const PutValuesQuery = z.object({
  environment: textParameter('Name or id of the environment to set the values in.').unwrap(),
  prune: booleanParameter(
    'Delete values that are set in this environment and not named in the body. Requires `If-Match` or `base_revision`.',
  ).default(false),
  base_revision: countParameter(
    0,
    Number.MAX_SAFE_INTEGER,
    'Reject the request if a value that it writes was changed after this revision.',
  ).optional(),
  force: forceParameter,
});
export type PutValuesQuery = z.infer<typeof PutValuesQuery>;

export const PutValue = z
  .object({
    name: z.string().meta({ description: 'Name of the parameter.' }),
    action: z.string().meta({ description: '`created`, `updated`, `unchanged` or `deleted`.' }),
    parameter_id: z.string().meta({ description: 'Id of the parameter.' }),
    value_id: z.string().nullable().meta({ description: 'Id of the value. For a deleted value, its former id.' }),
  })
  .meta({ id: 'PutValue', description: 'The result for one parameter.' });
export type PutValue = z.infer<typeof PutValue>;

export const PutValuesAnswer = z
  .object({
    revision: z.int().meta({ description: 'The new revision, or the latest revision if nothing changed.' }),
    values: z.array(PutValue).meta({ description: 'The result for each parameter.' }),
  })
  .meta({ id: 'PutValues', description: 'The results of setting values.' });
export type PutValuesAnswer = z.infer<typeof PutValuesAnswer>;
