import { z } from 'zod';
import {
  booleanParameter,
  countParameter,
  nameAndDescriptionFilters,
  namesParameter,
  pointInTimeParameters,
  textParameter,
} from './query.ts';

/** The configuration that a program reads: one text for each name. */
export const Effective = z
  .object({
    project_id: z.string().meta({ description: 'Id of the project.' }),
    project_name: z.string().meta({ description: 'Name of the project.' }),
    environment_id: z.string().meta({ description: 'Id of the environment.' }),
    environment_name: z.string().meta({ description: 'Name of the environment.' }),
    revision: z.int().meta({ description: 'Revision of the organization that was read.' }),
    digest: z.string().meta({ description: '`sha256:` and the hash of the values; equal values have equal digests.' }),
    has_secret: z.boolean().meta({ description: 'Whether any of the values is secret.' }),
    masked: z.array(z.string()).optional().meta({
      description: 'With `mask_secrets`: the names of the secrets, whose text is `*****`; otherwise absent.',
    }),
    values: z.record(z.string(), z.string().nullable()).meta({ description: 'The texts by parameter name.' }),
  })
  .meta({ id: 'Effective', description: 'The effective configuration of one project in one environment.' });
export type Effective = z.infer<typeof Effective>;

export const EffectiveQuery = z.object({
  ...pointInTimeParameters,
  environment: textParameter('Name or id of the environment; defaults to `default`.'),
  evaluate: booleanParameter('Evaluate dynamic values.').default(true),
  mask_secrets: booleanParameter('Replace the text of secrets by `*****`.').default(false),
  immediate_parameters: booleanParameter("Only the project's own parameters, without inherited ones.").default(false),
  secret: booleanParameter('true returns only secret parameters, false only others.').optional(),
  ...nameAndDescriptionFilters,
  name__in: namesParameter,
  wait: countParameter(
    0,
    30,
    'Seconds to wait for a change of the values. Send their ETag or their digest in `If-None-Match`.',
  ).default(0),
});
export type EffectiveQuery = z.infer<typeof EffectiveQuery>;
