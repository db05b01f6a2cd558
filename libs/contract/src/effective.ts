import { z } from 'zod';
import { flagParameter, momentParameters, moreNameFilters, textParameter } from './query.ts';

/** The configuration a program needs, and nothing else: name → text. */
export const Effective = z
  .object({
    project_id: z.string().meta({ description: 'Id of the project.' }),
    project_name: z.string().meta({ description: 'Name of the project.' }),
    environment_id: z.string().meta({ description: 'Id of the environment.' }),
    environment_name: z.string().meta({ description: 'Name of the environment.' }),
    revision: z.int().meta({ description: 'Revision of the organization that was read.' }),
    digest: z.string().meta({ description: '`sha256:` and the hash of the values; equal values have equal digests.' }),
    has_secret: z.boolean().meta({ description: 'Whether any of it is secret.' }),
    values: z.record(z.string(), z.string().nullable()).meta({ description: 'Names to texts.' }),
  })
  .meta({ id: 'Effective', description: 'Everything that one project needs to know in one environment.' });
export type Effective = z.infer<typeof Effective>;

export const EffectiveQuery = z.object({
  ...momentParameters,
  environment: textParameter('Name or id of the environment; absent means `default`.'),
  evaluate: flagParameter('Render dynamic values.').default(true),
  mask_secrets: flagParameter('Replace the text of secrets by `*****`.').default(false),
  immediate_parameters: flagParameter('Only parameters of this project itself.').default(false),
  secret: flagParameter('Only secret, or only other, parameters.').optional(),
  ...moreNameFilters,
});
export type EffectiveQuery = z.infer<typeof EffectiveQuery>;
