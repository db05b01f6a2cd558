import { z } from 'zod';
import { expirationIn, expirationOut } from './expiration.ts';
import { flag, freeText, linkOut, name, timeOut } from './fields.ts';
import { pageOf } from './page.ts';
import { flagParameter, listParameter, momentParameters, moreNameFilters, PageQuery, textParameter } from './query.ts';
import { ParameterRule } from './rule.ts';
import { Value } from './value.ts';

/** In recorded key order; `templates` repeats `referencing_templates` for older clients. */
export const Parameter = z
  .object({
    url: linkOut,
    id: z.string(),
    ledger_id: z.string(),
    name: z.string(),
    description: z.string(),
    secret: z.boolean(),
    type: z.string().meta({ description: 'Name of a type.' }),
    rules: z.array(ParameterRule),
    project: linkOut,
    project_name: z.string(),
    referencing_templates: z.array(z.string()),
    referencing_values: z.array(z.string()),
    values: z.record(z.string(), Value.nullable()).meta({ description: 'Effective value by link of environment.' }),
    overrides: linkOut.nullable().meta({ description: 'The parameter of the same name further up the project chain.' }),
    created_at: timeOut,
    modified_at: timeOut.nullable(),
    templates: z.array(z.string()),
    values_flat: z.array(Value),
    ...expirationOut,
  })
  .meta({ id: 'Parameter' });
export type Parameter = z.infer<typeof Parameter>;

export const ParameterPage = pageOf(Parameter, 'PaginatedParameterList');

export const ParameterCreate = z
  .object({
    name: name(),
    description: freeText().default(''),
    secret: flag.default(false),
    type: name().default('string'),
    ...expirationIn,
  })
  .meta({ id: 'ParameterCreate' });
export type ParameterCreate = z.infer<typeof ParameterCreate>;

/** PUT. What is absent keeps its value. */
export const ParameterUpdate = z
  .object({
    name: name(),
    description: freeText().optional(),
    secret: flag.optional(),
    type: name().optional(),
    ...expirationIn,
  })
  .meta({ id: 'ParameterUpdate' });
export type ParameterUpdate = z.infer<typeof ParameterUpdate>;

export const ParameterPatch = ParameterUpdate.partial().meta({ id: 'PatchedParameterUpdate' });
export type ParameterPatch = z.infer<typeof ParameterPatch>;

const readParameters = {
  ...momentParameters,
  environment: textParameter('Name or id: only the value of this environment.'),
  evaluate: flagParameter('Render dynamic values.').default(true),
  immediate_parameters: flagParameter('Only parameters of this project itself.').default(false),
  mask_secrets: flagParameter('Replace the text of secrets by `*****`.').default(false),
  values: flagParameter('false leaves the values out; not together with `environment`.').optional(),
};

export const ParameterQuery = z.object(readParameters);
export type ParameterQuery = z.infer<typeof ParameterQuery>;

export const ParameterListQuery = PageQuery.extend({
  ...moreNameFilters,
  ...readParameters,
  secret: flagParameter('Only secret, or only other, parameters.').optional(),
  difference: listParameter('Two or more environments: only parameters whose values differ between them.'),
});
export type ParameterListQuery = z.infer<typeof ParameterListQuery>;
