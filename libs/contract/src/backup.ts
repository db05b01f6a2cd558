import { z } from 'zod';
import { timeOutput } from './fields.ts';
import { booleanParameter } from './query.ts';
import { Role } from './role.ts';

export const BackupQuery = z.object({
  extended: booleanParameter('Also return tags, groups, grants and the expiration of parameters.').default(false),
});
export type BackupQuery = z.infer<typeof BackupQuery>;

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
    expires: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'Only with `extended`: time after their last change at which its values expire.' }),
  })
  .meta({ id: 'BackupParameter' });

const BackupTemplate = z
  .object({ name: z.string(), text: z.string(), description: z.string().nullable() })
  .meta({ id: 'BackupTemplate' });

/** A user or a group, identified as it can be found in another organization. Exactly one member is not null. */
const BackupPrincipal = z
  .object({
    email: z.string().nullable().meta({ description: 'E-mail address of a person.' }),
    service_account: z.string().nullable().meta({ description: 'Name of a service account.' }),
    group: z.string().nullable().meta({ description: 'Name of a group.' }),
  })
  .meta({ id: 'BackupPrincipal', description: 'A person, a service account or a group.' });

const BackupTag = z
  .object({
    environment: z.string().meta({ description: 'Name of the environment.' }),
    name: z.string().meta({ description: 'Unique in its environment.' }),
    description: z.string().meta({ description: 'Description; may be empty.' }),
    timestamp: timeOutput.meta({ description: 'The point in time.' }),
    immutable: z.boolean().meta({ description: 'Whether the tag can only be deleted, not changed.' }),
  })
  .meta({ id: 'BackupTag', description: 'A tag of an environment.' });

const BackupGroup = z
  .object({
    name: z.string().meta({ description: 'Unique in the organization.' }),
    description: z.string().meta({ description: 'Description; may be empty.' }),
    members: z.array(BackupPrincipal).meta({ description: 'The members.' }),
  })
  .meta({ id: 'BackupGroup', description: 'A group with its members.' });

const BackupGrant = z
  .object({
    principal: BackupPrincipal.meta({ description: 'The user or group.' }),
    project: z.string().nullable().meta({ description: 'Name of the project, if the scope is a project.' }),
    environment: z
      .string()
      .nullable()
      .meta({ description: 'Name of the environment, if the scope is an environment.' }),
    role: Role.meta({ description: 'The role that is granted.' }),
  })
  .meta({ id: 'BackupGrant', description: 'A role of a user or group in one project or environment.' });

/** Parameters are keyed by name, so that a backup can be restored where ids differ. */
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
    timestamp: timeOutput.meta({ description: 'When the backup was taken.' }),
    tags: z.array(BackupTag).optional().meta({ description: 'Only with `extended`: the tags.' }),
    groups: z.array(BackupGroup).optional().meta({ description: 'Only with `extended`: the groups.' }),
    grants: z.array(BackupGrant).optional().meta({ description: 'Only with `extended`: the grants.' }),
  })
  .meta({
    id: 'BackupDataSnapshot',
    description: 'A backup of the configuration, keyed by name, with secrets in plain text.',
  });
export type BackupSnapshot = z.infer<typeof BackupSnapshot>;
