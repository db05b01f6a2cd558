import { z } from 'zod';
import {
  flagField,
  freeTextField,
  linkIn,
  linkOrNullIn,
  mapField,
  nameField,
  textField,
  timeOutput,
  toList,
} from './fields.ts';
import { booleanParameter } from './query.ts';
import { vocabulary } from './vocabulary.ts';

/** Maps the old names of copied children to their new names. Other copies get the suffix `-1`. */
const childNames = mapField(nameField()).nullable().default(null);

export const EnvironmentCopyRequest = z
  .object({
    name: nameField().meta({ description: 'Name of the copy.' }),
    description: freeTextField().optional().meta({ description: 'Description; defaults to that of the source.' }),
    child_environment_names: childNames.meta({
      description: 'The names of copied children by their old names. Other copies get the suffix `-1`.',
    }),
    recursive: flagField.default(false).meta({ description: 'Whether to copy its children too.' }),
  })
  .meta({ id: 'EnvironmentCopy' });
export type EnvironmentCopyRequest = z.infer<typeof EnvironmentCopyRequest>;

/** Without `depends_on`, the copy depends on the same project as the source. */
export const ProjectCopyRequest = z
  .object({
    name: nameField().meta({ description: 'Name of the copy.' }),
    description: freeTextField().optional().meta({ description: 'Description; defaults to that of the source.' }),
    child_project_names: childNames.meta({
      description: 'The names of copied dependents by their old names. Other copies get the suffix `-1`.',
    }),
    recursive: flagField.default(false).meta({ description: 'Whether to copy its dependents too.' }),
    depends_on: linkOrNullIn
      .optional()
      .meta({ description: 'The project that the copy depends on; defaults to that of the source.' }),
  })
  .meta({ id: 'ProjectCopy' });
export type ProjectCopyRequest = z.infer<typeof ProjectCopyRequest>;

export const ParameterCopy = z
  .object({
    name: nameField().meta({ description: 'Name of the copy.' }),
    description: freeTextField().optional().meta({ description: 'Description; defaults to that of the source.' }),
    project: linkIn.meta({ description: 'The project that owns the copy.' }),
  })
  .meta({ id: 'ParameterCopy' });
export type ParameterCopy = z.infer<typeof ParameterCopy>;

/** Only the size of the request is limited here. The importer limits the number of names. */
const IMPORT_LENGTH_MAX = 1_000_000;
const IMPORT_NAMES_MAX = 10_000;
const names = z.preprocess(toList, z.array(nameField()).max(IMPORT_NAMES_MAX));

export const ImportRequest = z
  .object({
    project: nameField().meta({ description: 'Name of the project.' }),
    environment: nameField()
      .nullable()
      .default(null)
      .meta({ description: 'Name of the environment; defaults to `default`.' }),
    body: textField({ max: IMPORT_LENGTH_MAX, blank: 'allowed' }).meta({ description: 'Lines of `NAME=text`.' }),
    secrets: names.meta({ description: 'Names of parameters to create as secret.' }),
    ignore: names.meta({ description: 'Names to ignore.' }),
    add_project: flagField.default(true).meta({ description: 'Whether to create the project if it is missing.' }),
    add_environment: flagField
      .default(true)
      .meta({ description: 'Whether to create the environment if it is missing.' }),
    add_parameters: flagField.default(true).meta({ description: 'Whether to create missing parameters.' }),
    add_overrides: flagField.default(true).meta({ description: 'Whether to override inherited values that differ.' }),
    inherit_on_same: flagField
      .default(true)
      .meta({ description: 'Whether to skip values that equal the inherited ones.' }),
  })
  .meta({ id: 'ImportCreateRequest' });
export type ImportRequest = z.infer<typeof ImportRequest>;

export const ImportQuery = z.object({
  preview: booleanParameter('Return the result without storing anything.').default(false),
  mask_secrets: booleanParameter('Replace the text of secrets by `*****`.').default(false),
});
export type ImportQuery = z.infer<typeof ImportQuery>;

const IMPORT_ACTIONS = ['created', 'unchanged', 'updated', 'inherited', 'overridden'] as const;
/** The values of `action`, which version 1 declares as plain text. */
export const ImportAction = vocabulary(IMPORT_ACTIONS, {
  name: 'ImportAction',
  description: 'The result of an import for one parameter.',
  meaning: (action) => `The value is ${action}.`,
});

export const ImportParameter = z
  .object({
    project_name: z.string().meta({ description: 'Name of the project.' }),
    project_id: z.string().nullable().meta({ description: 'Id of the project; null if a preview would create it.' }),
    environment_name: z.string().meta({ description: 'Name of the environment.' }),
    environment_id: z
      .string()
      .nullable()
      .meta({ description: 'Id of the environment; null if a preview would create it.' }),
    parameter_name: z.string().meta({ description: 'Name of the parameter.' }),
    parameter_id: z
      .string()
      .nullable()
      .meta({ description: 'Id of the parameter; null if a preview would create it.' }),
    secret: z.boolean().meta({ description: 'Whether the parameter is secret.' }),
    value: z.string().meta({ description: 'The text; `*****` for a masked secret.' }),
    value_id: z.string().nullable().meta({ description: 'Id of the value; null when there is none.' }),
    created_at: timeOutput.nullable().meta({ description: 'When the value was created.' }),
    modified_at: timeOutput.nullable().meta({ description: 'When the value was last changed.' }),
    action: z
      .string()
      .meta({ description: 'The action: `created`, `unchanged`, `updated`, `inherited` or `overridden`.' }),
  })
  .meta({ id: 'ImportParameter', description: 'The result of an import for one parameter.' });
export type ImportParameter = z.infer<typeof ImportParameter>;

/** A generated Go client already uses the obvious name for the response of `import_create`. */
export const ImportResponse = z
  .object({ parameter: z.array(ImportParameter).meta({ description: 'The results, in the order of the text.' }) })
  .meta({
    id: 'ImportCreateResponse',
    'x-go-name': 'ImportReport',
    description: 'The results of an import.',
  });
export type ImportResponse = z.infer<typeof ImportResponse>;
