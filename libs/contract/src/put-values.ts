import { z } from 'zod';
import { createMissing, settableValues, touch } from './named-values.ts';
import { countParameter, flagParameter, textParameter } from './query.ts';

export const PutValues = z
  .object({ values: settableValues, create_missing: createMissing, touch })
  .meta({ id: 'ProjectValuesUpdate', description: 'Values to set, by names of parameters.' });
export type PutValues = z.output<typeof PutValues>;

export const PutValuesQuery = z.object({
  environment: textParameter('Name or id of the environment to set them in.').unwrap(),
  prune: flagParameter(
    'Delete values that are set in this environment and that the body does not name. Needs `If-Match` or `base_revision`.',
  ).default(false),
  base_revision: countParameter(
    0,
    Number.MAX_SAFE_INTEGER,
    'Refuse it if any of the values that it writes was changed after this revision.',
  ).optional(),
});
export type PutValuesQuery = z.infer<typeof PutValuesQuery>;

export const PutValue = z
  .object({
    name: z.string().meta({ description: 'Name of the parameter.' }),
    action: z.string().meta({ description: 'created, updated, unchanged or deleted.' }),
    parameter_id: z.string().meta({ description: 'Id of the parameter.' }),
    value_id: z.string().nullable().meta({ description: 'Id of the value; of one that is gone, the id that it had.' }),
  })
  .meta({ id: 'PutValue', description: 'What became of one name.' });
export type PutValue = z.infer<typeof PutValue>;

export const PutValuesAnswer = z
  .object({
    revision: z.int().meta({ description: 'The revision that was made; the latest one when nothing changed.' }),
    values: z.array(PutValue).meta({ description: 'What became of each name.' }),
  })
  .meta({ id: 'PutValues', description: 'What became of the names.' });
export type PutValuesAnswer = z.infer<typeof PutValuesAnswer>;
