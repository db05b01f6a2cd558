import { z } from 'zod';
import { flag, freeMap, freeText, linkIn, linkOrNullIn, name, text, timeOut, toList } from './fields.ts';
import { flagParameter } from './query.ts';

/** Names of copied children by their old names; a child that is not in it gets `-1` behind its name. */
const childNames = freeMap(name()).nullable().default(null);

export const EnvironmentCopy = z
  .object({
    name: name(),
    description: freeText().optional(),
    child_environment_names: childNames,
    recursive: flag.default(false),
  })
  .meta({ id: 'EnvironmentCopy' });
export type EnvironmentCopy = z.infer<typeof EnvironmentCopy>;

/** `depends_on` absent: the copy depends on what the source depends on. */
export const ProjectCopy = z
  .object({
    name: name(),
    description: freeText().optional(),
    child_project_names: childNames,
    recursive: flag.default(false),
    depends_on: linkOrNullIn.optional(),
  })
  .meta({ id: 'ProjectCopy' });
export type ProjectCopy = z.infer<typeof ProjectCopy>;

export const ParameterCopy = z
  .object({ name: name(), description: freeText().optional(), project: linkIn })
  .meta({ id: 'ParameterCopy' });
export type ParameterCopy = z.infer<typeof ParameterCopy>;

/** As many characters as a request can carry; how many names may be in it is the importer's business. */
const IMPORT_LENGTH_MAX = 1_000_000;
const IMPORT_NAMES_MAX = 10_000;
const names = z.preprocess(toList, z.array(name()).max(IMPORT_NAMES_MAX));

export const ImportRequest = z
  .object({
    project: name(),
    environment: name().nullable().default(null),
    body: text({ max: IMPORT_LENGTH_MAX, blank: 'allowed' }),
    secrets: names,
    ignore: names,
    add_project: flag.default(true),
    add_environment: flag.default(true),
    add_parameters: flag.default(true),
    add_overrides: flag.default(true),
    inherit_on_same: flag.default(true),
  })
  .meta({ id: 'ImportCreateRequest' });
export type ImportRequest = z.infer<typeof ImportRequest>;

export const ImportQuery = z.object({
  preview: flagParameter('Only say what would be done.').default(false),
  mask_secrets: flagParameter('Replace the text of secrets by `*****`.').default(false),
});
export type ImportQuery = z.infer<typeof ImportQuery>;

export const IMPORT_ACTIONS = ['created', 'unchanged', 'updated', 'inherited', 'overridden'] as const;

export const ImportParameter = z
  .object({
    project_name: z.string(),
    project_id: z.string().nullable(),
    environment_name: z.string(),
    environment_id: z.string().nullable(),
    parameter_name: z.string(),
    parameter_id: z.string().nullable(),
    secret: z.boolean(),
    value: z.string(),
    value_id: z.string().nullable(),
    created_at: timeOut.nullable(),
    modified_at: timeOut.nullable(),
    action: z.string().meta({ description: IMPORT_ACTIONS.join(', ') }),
  })
  .meta({ id: 'ImportParameter' });
export type ImportParameter = z.infer<typeof ImportParameter>;

/** Go generators call the answer of the operation `import_create` by the name that existing clients know this shape by. */
export const ImportResponse = z
  .object({ parameter: z.array(ImportParameter) })
  .meta({ id: 'ImportCreateResponse', 'x-go-name': 'ImportReport' });
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
    environments: z.record(
      z.string(),
      z
        .object({ name: z.string(), parent: z.string().nullable(), description: z.string().nullable() })
        .meta({ id: 'BackupEnvironment' }),
    ),
    types: z.record(
      z.string(),
      z
        .object({
          rules: z.record(z.string(), BackupRule),
          name: z.string(),
          parent: z.string(),
          description: z.string().nullable(),
        })
        .meta({ id: 'BackupParameterType' }),
    ),
    projects: z.record(
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
    ),
    timestamp: timeOut,
  })
  .meta({ id: 'BackupDataSnapshot' });
export type BackupSnapshot = z.infer<typeof BackupSnapshot>;
