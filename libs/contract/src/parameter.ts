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
    url: linkOut.meta({ description: 'Its link.' }),
    id: z.string().meta({ description: 'Its id.' }),
    ledger_id: z.string().meta({ description: 'Changes with every modification.' }),
    name: z.string().meta({ description: 'Unique in its project.' }),
    description: z.string().meta({ description: 'What it is for; may be empty.' }),
    secret: z.boolean().meta({ description: 'Whether its values must not be shown.' }),
    type: z.string().meta({ description: 'Name of its type: string, integer, boolean or one of your own.' }),
    rules: z
      .array(ParameterRule)
      .meta({ description: 'Rules of this parameter itself; those of its type apply as well.' }),
    project: linkOut.meta({ description: 'The project that owns it.' }),
    project_name: z.string().meta({ description: 'Name of the project that owns it.' }),
    referencing_templates: z.array(z.string()).meta({ description: 'The templates that refer to it.' }),
    referencing_values: z.array(z.string()).meta({ description: 'The values that refer to it.' }),
    values: z.record(z.string(), Value.nullable()).meta({ description: 'Effective value by link of environment.' }),
    overrides: linkOut.nullable().meta({ description: 'The parameter of the same name that it hides, further up.' }),
    created_at: timeOut.meta({ description: 'When it was made.' }),
    modified_at: timeOut.nullable().meta({ description: 'When it was last changed.' }),
    templates: z.array(z.string()).meta({ description: 'Repeats `referencing_templates`.' }),
    values_flat: z.array(Value).meta({ description: 'Repeats `values` as a list.' }),
    ...expirationOut,
  })
  .meta({
    id: 'Parameter',
    description: 'A named setting of a project. It has at most one value in each environment and inherits the others.',
  });
export type Parameter = z.infer<typeof Parameter>;

export const ParameterPage = pageOf(Parameter, 'PaginatedParameterList');

export const ParameterCreate = z
  .object({
    name: name().meta({ description: 'Unique in its project.' }),
    description: freeText().default('').meta({ description: 'What it is for; may be empty.' }),
    secret: flag.default(false).meta({ description: 'Whether its values must not be shown.' }),
    type: name().default('string').meta({ description: 'Name of its type; string when left out.' }),
    ...expirationIn,
  })
  .meta({ id: 'ParameterCreate' });
export type ParameterCreate = z.infer<typeof ParameterCreate>;

/** PUT. What is absent keeps its value. */
export const ParameterUpdate = z
  .object({
    name: name().meta({ description: 'Unique in its project.' }),
    description: freeText().optional().meta({ description: 'What it is for; may be empty.' }),
    secret: flag.optional().meta({ description: 'Whether its values must not be shown.' }),
    type: name().optional().meta({ description: 'Name of its type; string when left out.' }),
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
