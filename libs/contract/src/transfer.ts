import { z } from 'zod';
import { flag, freeMap, freeText, linkIn, linkOrNullIn, name, text, timeOut, toList } from './fields.ts';
import { flagParameter } from './query.ts';
import { vocabulary } from './vocabulary.ts';

/** Names of copied children by their old names; a child that is not in it gets `-1` behind its name. */
const childNames = freeMap(name()).nullable().default(null);

export const EnvironmentCopy = z
  .object({
    name: name().meta({ description: 'Name of the copy.' }),
    description: freeText().optional().meta({ description: 'What it is for; that of the source when left out.' }),
    child_environment_names: childNames.meta({
      description: 'Names of copied children by their old names; others get `-1` behind theirs.',
    }),
    recursive: flag.default(false).meta({ description: 'Whether its children are copied too.' }),
  })
  .meta({ id: 'EnvironmentCopy' });
export type EnvironmentCopy = z.infer<typeof EnvironmentCopy>;

/** `depends_on` absent: the copy depends on what the source depends on. */
export const ProjectCopy = z
  .object({
    name: name().meta({ description: 'Name of the copy.' }),
    description: freeText().optional().meta({ description: 'What it is for; that of the source when left out.' }),
    child_project_names: childNames.meta({
      description: 'Names of copied dependents by their old names; others get `-1` behind theirs.',
    }),
    recursive: flag.default(false).meta({ description: 'Whether its dependents are copied too.' }),
    depends_on: linkOrNullIn
      .optional()
      .meta({ description: 'What the copy depends on; what the source depends on when left out.' }),
  })
  .meta({ id: 'ProjectCopy' });
export type ProjectCopy = z.infer<typeof ProjectCopy>;

export const ParameterCopy = z
  .object({
    name: name().meta({ description: 'Name of the copy.' }),
    description: freeText().optional().meta({ description: 'What it is for; that of the source when left out.' }),
    project: linkIn.meta({ description: 'The project that shall own the copy.' }),
  })
  .meta({ id: 'ParameterCopy' });
export type ParameterCopy = z.infer<typeof ParameterCopy>;

/** As many characters as a request can carry; how many names may be in it is the importer's business. */
const IMPORT_LENGTH_MAX = 1_000_000;
const IMPORT_NAMES_MAX = 10_000;
const names = z.preprocess(toList, z.array(name()).max(IMPORT_NAMES_MAX));

export const ImportRequest = z
  .object({
    project: name().meta({ description: 'Name of the project.' }),
    environment: name()
      .nullable()
      .default(null)
      .meta({ description: 'Name of the environment; `default` when left out.' }),
    body: text({ max: IMPORT_LENGTH_MAX, blank: 'allowed' }).meta({ description: 'Lines of `NAME=text`.' }),
    secrets: names.meta({ description: 'Names that are secret.' }),
    ignore: names.meta({ description: 'Names to leave out.' }),
    add_project: flag.default(true).meta({ description: 'Whether to make the project when it is not there.' }),
    add_environment: flag.default(true).meta({ description: 'Whether to make the environment when it is not there.' }),
    add_parameters: flag.default(true).meta({ description: 'Whether to make parameters that are not there.' }),
    add_overrides: flag.default(true).meta({ description: 'Whether to set values that differ from inherited ones.' }),
    inherit_on_same: flag
      .default(true)
      .meta({ description: 'Whether a value that equals the inherited one is left to inheritance.' }),
  })
  .meta({ id: 'ImportCreateRequest' });
export type ImportRequest = z.infer<typeof ImportRequest>;

export const ImportQuery = z.object({
  preview: flagParameter('Only say what would be done.').default(false),
  mask_secrets: flagParameter('Replace the text of secrets by `*****`.').default(false),
});
export type ImportQuery = z.infer<typeof ImportQuery>;

export const IMPORT_ACTIONS = ['created', 'unchanged', 'updated', 'inherited', 'overridden'] as const;
/** What `action` can be. v1 declares it as text. */
export const ImportAction = vocabulary(IMPORT_ACTIONS, {
  name: 'ImportAction',
  description: 'What an import does with one name.',
  meaning: (action) => `The value is ${action}.`,
});

export const ImportParameter = z
  .object({
    project_name: z.string().meta({ description: 'Name of the project.' }),
    project_id: z.string().nullable().meta({ description: 'Id of the project; null when a preview would make it.' }),
    environment_name: z.string().meta({ description: 'Name of the environment.' }),
    environment_id: z
      .string()
      .nullable()
      .meta({ description: 'Id of the environment; null when a preview would make it.' }),
    parameter_name: z.string().meta({ description: 'Name of the parameter.' }),
    parameter_id: z
      .string()
      .nullable()
      .meta({ description: 'Id of the parameter; null when a preview would make it.' }),
    secret: z.boolean().meta({ description: 'Whether it is secret.' }),
    value: z.string().meta({ description: 'The text; `*****` for a masked secret.' }),
    value_id: z.string().nullable().meta({ description: 'Id of the value; null when there is none.' }),
    created_at: timeOut.nullable().meta({ description: 'When the value was made.' }),
    modified_at: timeOut.nullable().meta({ description: 'When the value was last changed.' }),
    action: z.string().meta({ description: 'What is done: created, unchanged, updated, inherited or overridden.' }),
  })
  .meta({ id: 'ImportParameter', description: 'What an import does with one name.' });
export type ImportParameter = z.infer<typeof ImportParameter>;

/** Go generators call the answer of the operation `import_create` by the name that existing clients know this shape by. */
export const ImportResponse = z
  .object({ parameter: z.array(ImportParameter).meta({ description: 'The names, in the order of the text.' }) })
  .meta({
    id: 'ImportCreateResponse',
    'x-go-name': 'ImportReport',
    description: 'What an import does, name by name.',
  });
export type ImportResponse = z.infer<typeof ImportResponse>;

const BackupRule = z.object({ rule_type: z.string(), constraint: z.string() }).meta({ id: 'BackupParameterRule' });

const BackupValue = z
  .object({
    external: z
      .object({ fqn: z.string(), jmes_path: z.string().nullable() })
      .meta({ id: 'BackupExternalReference' })
      .nullable(),
    environment: z.string(),
    evaluated: z.boolean(),
    source: z.string().nullable(),
    project: z.string().nullable(),
    value: z.string().nullable(),
    raw: z.string().nullable(),
  })
  .meta({ id: 'BackupParameterValue' });

const BackupParameter = z
  .object({
    rules: z.record(z.string(), BackupRule),
    values: z.record(z.string(), BackupValue),
    name: z.string(),
    param_type: z.string(),
    project: z.string(),
    secret: z.boolean(),
    description: z.string().nullable(),
  })
  .meta({ id: 'BackupParameter' });

const BackupTemplate = z
  .object({ name: z.string(), text: z.string(), description: z.string().nullable() })
  .meta({ id: 'BackupTemplate' });

/** Everything is keyed by name, so that it can be put back where ids are others. */
export const BackupSnapshot = z
  .object({
    environments: z
      .record(
        z.string(),
        z
          .object({ name: z.string(), parent: z.string().nullable(), description: z.string().nullable() })
          .meta({ id: 'BackupEnvironment' }),
      )
      .meta({ description: 'The environments by name.' }),
    types: z
      .record(
        z.string(),
        z
          .object({
            rules: z.record(z.string(), BackupRule),
            name: z.string(),
            parent: z.string(),
            description: z.string().nullable(),
          })
          .meta({ id: 'BackupParameterType' }),
      )
      .meta({ description: 'The types by name.' }),
    projects: z
      .record(
        z.string(),
        z
          .object({
            parameters: z.record(z.string(), BackupParameter),
            templates: z.record(z.string(), BackupTemplate),
            name: z.string(),
            parent: z.string().nullable(),
            description: z.string().nullable(),
          })
          .meta({ id: 'BackupProject' }),
      )
      .meta({ description: 'The projects with parameters, values and templates, by name.' }),
    timestamp: timeOut.meta({ description: 'When it was read.' }),
  })
  .meta({ id: 'BackupDataSnapshot', description: 'Everything at once, keyed by names; secrets in clear text.' });
export type BackupSnapshot = z.infer<typeof BackupSnapshot>;
