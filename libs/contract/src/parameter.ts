import { z } from 'zod';
import { expirationMembers, expirationOutput } from './expiration.ts';
import { flagField, freeTextField, linkOutput, nameField, timeOutput, versionedObject } from './fields.ts';
import { pageSchema } from './page.ts';
import {
  booleanParameter,
  listParameter,
  nameAndDescriptionFilters,
  PageQuery,
  pointInTimeParameters,
  textParameter,
} from './query.ts';
import { ParameterRule } from './rule.ts';
import { Value } from './value.ts';
import { memberWithDefault, requiredMember, writeShapes } from './write-shapes.ts';

/** The keys have the order of the recorded contract. `templates` repeats `referencing_templates` for older clients. */
export const Parameter = z
  .object({
    ...versionedObject,
    name: z.string().meta({ description: 'Unique in its project.' }),
    description: z.string().meta({ description: 'Description; may be empty.' }),
    secret: z.boolean().meta({ description: 'Whether its values are secret.' }),
    type: z.string().meta({ description: 'Name of the type: string, integer, boolean or a custom type.' }),
    rules: z
      .array(ParameterRule)
      .meta({ description: "The parameter's own rules. The rules of its type apply as well." }),
    project: linkOutput.meta({ description: 'The project that owns it.' }),
    project_name: z.string().meta({ description: 'Name of the project that owns it.' }),
    referencing_templates: z.array(z.string()).meta({ description: 'The templates that refer to it.' }),
    referencing_values: z.array(z.string()).meta({ description: 'The values that refer to it.' }),
    values: z
      .record(z.string(), Value.nullable())
      .meta({ description: 'Effective values, keyed by URL of the environment.' }),
    overrides: linkOutput
      .nullable()
      .meta({ description: 'The inherited parameter with the same name that it overrides.' }),
    created_at: timeOutput.meta({ description: 'When it was created.' }),
    modified_at: timeOutput.nullable().meta({ description: 'When it was last changed.' }),
    templates: z.array(z.string()).meta({ description: 'Repeats `referencing_templates`.' }),
    values_flat: z.array(Value).meta({ description: 'Repeats `values` as a list.' }),
    ...expirationOutput,
  })
  .meta({
    id: 'Parameter',
    description:
      'A named setting of a project. It has at most one value per environment and inherits values elsewhere.',
  });
export type Parameter = z.infer<typeof Parameter>;

export const ParameterPage = pageSchema(Parameter, 'PaginatedParameterList');

const parameterShapes = writeShapes(
  { create: 'ParameterCreate', update: 'ParameterUpdate', patch: 'PatchedParameterUpdate' },
  {
    name: requiredMember(nameField(), 'Unique in its project.'),
    description: memberWithDefault(freeTextField(), '', 'Description; may be empty.'),
    secret: memberWithDefault(flagField, false, 'Whether its values are secret.'),
    type: memberWithDefault(nameField(), 'string', 'Name of the type; defaults to string.'),
    ...expirationMembers,
  },
);

export const ParameterCreate = parameterShapes.create;
export type ParameterCreate = z.infer<typeof ParameterCreate>;

export const ParameterUpdate = parameterShapes.update;
export const ParameterPatch = parameterShapes.patch;
export type ParameterPatch = z.infer<typeof ParameterPatch>;

const readParameters = {
  ...pointInTimeParameters,
  environment: textParameter('Name or id of an environment. Returns only the value in it.'),
  evaluate: booleanParameter('Evaluate dynamic values.').default(true),
  immediate_parameters: booleanParameter("Only the project's own parameters, without inherited ones.").default(false),
  mask_secrets: booleanParameter('Replace the text of secrets by `*****`.').default(false),
  values: booleanParameter('false omits the values. Cannot be combined with `environment`.').optional(),
};

export const ParameterQuery = z.object(readParameters);
export type ParameterQuery = z.infer<typeof ParameterQuery>;

export const ParameterListQuery = PageQuery.extend({
  ...nameAndDescriptionFilters,
  ...readParameters,
  secret: booleanParameter('true returns only secret parameters, false only others.').optional(),
  difference: listParameter('Two or more environments. Returns only parameters whose values differ between them.'),
});
export type ParameterListQuery = z.infer<typeof ParameterListQuery>;
