import { AWS_REGIONS } from '@strata/domain';
import { z } from 'zod';
import {
  flagField,
  freeTextField,
  linkIn,
  linkOutput,
  mapField,
  nameField,
  textField,
  timeOutput,
  toList,
  uuidOutput,
} from './fields.ts';
import { pageSchema } from './page.ts';
import { vocabulary } from './vocabulary.ts';

const RESOURCE_MAX = 1_024;
/** A run has one step for each project and tag. */
const LINKS_MAX = 50;

const INTEGRATION_STATUSES = ['unknown', 'pending', 'checking', 'connected', 'errored', 'missing'] as const;
const TASK_STATES = ['queued', 'running', 'skipped', 'success', 'failure'] as const;
const STEP_OPERATIONS = ['create', 'read', 'update', 'delete'] as const;
export const PULL_MODES = ['mapped', 'pattern'] as const;
const AWS_SERVICES = ['s3', 'secretsmanager', 'ssm'] as const;

export const Status = vocabulary(INTEGRATION_STATUSES, {
  name: 'IntegrationStatus',
  description: 'The status of an integration.',
  meaning: (status) => `The status ${status}.`,
}).meta({ id: 'StatusEnum' });
export const State = vocabulary(TASK_STATES, {
  name: 'TaskState',
  description: 'The state of a run.',
  meaning: (state) => `The state ${state}.`,
}).meta({ id: 'StateEnum' });
export const StepOperation = vocabulary(STEP_OPERATIONS, {
  name: 'StepOperation',
  description: 'The kind of a step.',
  meaning: (step) => `The action ${step}.`,
}).meta({ id: 'OperationEnum' });
export const Mode = vocabulary(PULL_MODES, {
  name: 'PullMode',
  description: 'How a pull determines the names of parameters.',
  meaning: (mode) => (mode === 'mapped' ? 'From a list of values.' : 'From a pattern.'),
}).meta({ id: 'ModeEnum' });
export const Region = z.enum(AWS_REGIONS).meta({ id: 'AwsRegionEnum' });
export const Service = vocabulary(AWS_SERVICES, {
  name: 'AwsService',
  description: 'Services of AWS.',
  meaning: (service) => `The AWS service ${service}.`,
}).meta({ id: 'AwsServiceEnum' });

/** The fields that all integrations share. */
export const integrationOutput = {
  url: linkOutput.meta({ description: 'URL of the object.' }),
  id: uuidOutput.meta({ description: 'Id of the object.' }),
  name: z.string().meta({ description: 'Name of the object.' }),
  description: z.string().meta({ description: 'Description; may be empty.' }),
  status: Status.meta({
    description: 'Whether the latest test or run that reached the provider, or failed to, could read it.',
  }),
  status_detail: z.string().meta({ description: 'Details of the status.' }),
  status_last_checked_at: timeOutput
    .nullable()
    .meta({ description: 'When the status was last checked; null if never.' }),
  created_at: timeOutput.meta({ description: 'When it was created.' }),
  modified_at: timeOutput.nullable().meta({ description: 'When it was last changed.' }),
  fqn: z.string().meta({ description: 'The location in the external system.' }),
  type: z.string().meta({ description: 'Type of the location.' }),
  writable: z.boolean().meta({ description: 'Whether pushes can write to the external system.' }),
};

export const integrationIn = {
  description: freeTextField().meta({ description: 'Description; may be empty.' }),
  writable: flagField.meta({ description: 'Whether pushes can write to the external system.' }),
};
export const tagsIn = mapField(z.string().max(256), z.string().max(128)).meta({
  description: 'AWS and Azure: tags that are added to all written resources.',
});
const listField = <Item extends z.ZodType>(item: Item, max = LINKS_MAX) => z.preprocess(toList, z.array(item).max(max));

export const awsIn = {
  aws_account_id: textField({ max: 12, blank: 'rejected' })
    .regex(/^[0-9]{12}$/, 'Enter the 12 digits of an account.')
    .meta({ description: 'AWS: id of the account.' }),
  aws_enabled_regions: listField(Region).meta({ description: 'AWS: the regions to scan.' }),
  aws_enabled_services: listField(Service).meta({ description: 'AWS: the services to scan.' }),
  aws_external_id: textField({ max: 1_224, blank: 'rejected' })
    .regex(/^[\w+=,.@:/-]{2,}$/, 'At least two characters: letters, digits and +=,.@:/-_')
    .meta({
      description:
        'Ignored: Strata derives the external id from the organization. Clients may send what they have received.',
    }),
  aws_kms_key_id: textField({ max: 256, blank: 'rejected' })
    .regex(/^[a-zA-Z0-9:/_-]+$/, 'Letters, digits and :/_- only.')
    .nullable()
    .meta({ description: 'AWS: id of the encryption key.' }),
  aws_role_name: textField({ max: 64, blank: 'rejected' })
    .regex(/^[\w+=,.@-]{2,}$/, 'At least two characters: letters, digits and +=,.@-_')
    .meta({ description: 'AWS: name of the role to assume.' }),
  resource_tags: tagsIn.meta({ description: 'AWS and Azure: tags that are added to all written resources.' }),
};
export const azureIn = {
  vault_name: textField({ max: 24, blank: 'rejected' })
    .regex(/^[A-Za-z0-9-]+$/, 'Letters, digits and hyphens only.')
    .meta({ description: 'Azure: name of the vault.' }),
  tenant_id: z.uuid('This is not a valid UUID.').toLowerCase().meta({ description: 'Azure: id of the tenant.' }),
  resource_tags: tagsIn.meta({ description: 'AWS and Azure: tags that are added to all written resources.' }),
};
export const googleIn = {
  google_project_id: textField({ max: 30, blank: 'rejected' })
    .min(6, 'Enter 6 to 30 lower-case letters, digits and hyphens.')
    .regex(/^[a-z][a-z\d-]{4,28}[a-z\d]$/, 'Enter 6 to 30 lower-case letters, digits and hyphens.')
    .meta({ description: 'Google: id of the project.' }),
  resource_tags: mapField(
    z.string().regex(/^[a-z\d_-]{0,63}$/, 'At most 63 lower-case letters, digits, hyphens and underscores.'),
    z.string().regex(/^[a-z][a-z\d_-]{0,62}$/, 'At most 63 lower-case letters, digits, hyphens and underscores.'),
  ).meta({ description: 'Google: labels that are added to all written secrets.' }),
};
export const githubIn = {
  gh_installation_id: z
    .preprocess(
      (text) => (typeof text === 'string' && /^\d{1,10}$/.test(text) ? Number(text) : text),
      z.int().min(0).max(2_147_483_647),
    )
    .meta({ description: 'GitHub: id of the installation.' }),
};

/** The fields of each provider that responses always contain, in the order of the contract. */
export const OWN_FIELDS = {
  aws: {
    aws_account_id: z.string().meta({ description: 'AWS: id of the account.' }),
    aws_enabled_regions: z.array(Region).meta({ description: 'AWS: the regions to scan.' }),
    aws_enabled_services: z.array(Service).meta({ description: 'AWS: the services to scan.' }),
    aws_external_id: z.string().meta({
      description: 'AWS: the external id that Strata sends when it assumes the role. The trust policy must require it.',
    }),
    aws_kms_key_id: z.string().nullable().meta({ description: 'AWS: id of the encryption key.' }),
    aws_role_name: z.string().meta({ description: 'AWS: name of the role to assume.' }),
    resource_tags: z
      .record(z.string(), z.string())
      .meta({ description: 'AWS and Azure: tags that are added to all written resources.' }),
  },
  azure_key_vault: {
    vault_name: z.string().meta({ description: 'Azure: name of the vault.' }),
    tenant_id: uuidOutput.meta({ description: 'Azure: id of the tenant.' }),
    resource_tags: z
      .record(z.string(), z.string())
      .meta({ description: 'AWS and Azure: tags that are added to all written resources.' }),
  },
  google_secret_manager: {
    google_project_id: z.string().meta({ description: 'Google: id of the project.' }),
    resource_tags: z
      .record(z.string(), z.string())
      .meta({ description: 'Google: labels that are added to all written secrets.' }),
  },
  github: {
    gh_installation_id: z.int().meta({ description: 'GitHub: id of the installation.' }),
    gh_organization_slug: z
      .string()
      .meta({ description: 'GitHub: name of the organization; empty until a test of the connection has succeeded.' }),
  },
};

export const taskOutput = {
  url: linkOutput.meta({ description: 'URL of the object.' }),
  id: uuidOutput.meta({ description: 'Id of the object.' }),
  reason: z.string().nullable().meta({ description: 'The reason of the run.' }),
  dry_run: z.boolean().meta({ description: 'Whether it is a dry run.' }),
  state: State.meta({ description: 'The state of the run.' }),
  error_code: z.string().nullable().meta({ description: 'The error code.' }),
  error_detail: z.string().nullable().meta({ description: 'The error message.' }),
  created_at: timeOutput.meta({ description: 'When it was created.' }),
  modified_at: timeOutput.nullable().meta({ description: 'When it was last changed.' }),
  next_attempt_at: timeOutput
    .nullable()
    .meta({ description: 'When a queued run starts, or starts again; null if it has started or ended.' }),
};

export const stepOutput = {
  url: linkOutput.meta({ description: 'URL of the object.' }),
  id: uuidOutput.meta({ description: 'Id of the object.' }),
  operation: StepOperation.nullable().meta({ description: 'The action.' }),
  success: z.boolean().meta({ description: 'Whether the step succeeded.' }),
  success_detail: z.string().nullable().meta({ description: 'Details of the status.' }),
  fqn: z.string().nullable().meta({ description: 'The location in the external system.' }),
  environment: linkOutput.nullable().meta({ description: 'The environment.' }),
  environment_id: uuidOutput.nullable().meta({ description: 'Id of the environment.' }),
  environment_name: z.string().nullable().meta({ description: 'Name of the environment.' }),
  project: linkOutput.nullable().meta({ description: 'The project.' }),
  project_id: uuidOutput.nullable().meta({ description: 'Id of the project.' }),
  project_name: z.string().nullable().meta({ description: 'Name of the project.' }),
  parameter: linkOutput.nullable().meta({ description: 'The parameter.' }),
  parameter_id: uuidOutput.nullable().meta({ description: 'Id of the parameter.' }),
  parameter_name: z.string().nullable().meta({ description: 'Name of the parameter.' }),
  venue_id: z.string().nullable().meta({ description: 'Id in the external system.' }),
  venue_name: z.string().nullable().meta({ description: 'Name in the external system.' }),
  summary: z.string().nullable().meta({ description: 'A sentence that describes the step.' }),
  error_code: z.string().nullable().meta({ description: 'The error code.' }),
  error_detail: z.string().nullable().meta({ description: 'The error message.' }),
  created_at: timeOutput.meta({ description: 'When it was created.' }),
  modified_at: timeOutput.nullable().meta({ description: 'When it was last changed.' }),
};

/** Environments and parameters list the steps of all providers together. */
export const TaskStep = z
  .object(stepOutput)
  .meta({ id: 'TaskStep', description: 'One step of a run, which handles one value.' });
export type TaskStep = z.infer<typeof TaskStep>;
export const TaskStepPage = pageSchema(TaskStep, 'PaginatedTaskStepList');

export const IntegrationTask = z.object(taskOutput);
export type IntegrationTask = z.infer<typeof IntegrationTask>;

export const pullOutput = {
  create_environments: z.boolean().meta({ description: 'Whether missing environments are created.' }),
  create_projects: z.boolean().meta({ description: 'Whether missing projects are created.' }),
  dry_run: z.boolean().meta({ description: 'Whether all runs are dry runs.' }),
};
export const pushOutput = {
  coerce_parameters: z.boolean().meta({ description: 'Whether parameters are converted to fit the external system.' }),
  include_parameters: z.boolean().meta({ description: 'Whether parameters that are not secret are included.' }),
  include_secrets: z.boolean().meta({ description: 'Whether secrets are included.' }),
  include_templates: z.boolean().meta({ description: 'Whether templates are included.' }),
  dry_run: z.boolean().meta({ description: 'Whether all runs are dry runs.' }),
  force: z.boolean().meta({ description: 'Whether values written by others are overwritten.' }),
  local: z.boolean().meta({ description: "Whether only the project's own parameters are included." }),
  projects: z.array(linkOutput).meta({ description: 'The projects of the push.' }),
  tags: z.array(linkOutput).meta({ description: 'The tags of the push.' }),
};
export const headOutput = <Task extends z.ZodType>(task: Task) => ({
  url: linkOutput.meta({ description: 'URL of the object.' }),
  id: uuidOutput.meta({ description: 'Id of the object.' }),
  name: z.string().meta({ description: 'Name of the object.' }),
  description: z.string().meta({ description: 'Description; may be empty.' }),
  latest_task: task.nullable().meta({ description: 'The latest run.' }),
  latest_result: task.nullable().meta({
    description: 'The latest run that has ended, or that failed and is repeated. Leaves out single dry runs.',
  }),
  created_at: timeOutput.meta({ description: 'When it was created.' }),
  modified_at: timeOutput.nullable().meta({ description: 'When it was last changed.' }),
});
export const locationOutput = {
  region: Region.meta({ description: 'AWS: the region.' }),
  service: Service.meta({ description: 'AWS: the service.' }),
};
export const resourceOutput = {
  resource: z
    .string()
    .nullable()
    .meta({ description: 'The location in the external system; can contain placeholders.' }),
};

export const resourceIn = z
  .preprocess((text) => (text === '' ? null : text), textField({ max: RESOURCE_MAX, blank: 'allowed' }).nullable())
  .meta({ description: 'The location in the external system; can contain placeholders.' });
export const headIn = {
  name: nameField().meta({ description: 'Name of the object.' }),
  description: freeTextField().meta({ description: 'Description; may be empty.' }),
};
export const pullIn = {
  create_environments: flagField.meta({ description: 'Whether missing environments are created.' }),
  create_projects: flagField.meta({ description: 'Whether missing projects are created.' }),
  dry_run: flagField.meta({ description: 'Whether all runs are dry runs.' }),
};
export const pushIn = {
  coerce_parameters: flagField.meta({ description: 'Whether parameters are converted to fit the external system.' }),
  include_parameters: flagField.meta({ description: 'Whether parameters that are not secret are included.' }),
  include_secrets: flagField.meta({ description: 'Whether secrets are included.' }),
  include_templates: flagField.meta({ description: 'Whether templates are included.' }),
  dry_run: flagField.meta({ description: 'Whether all runs are dry runs.' }),
  force: flagField.meta({ description: 'Whether values written by others are overwritten.' }),
  local: flagField.meta({ description: "Whether only the project's own parameters are included." }),
  projects: listField(linkIn).meta({ description: 'Ids of the projects of the push.' }),
  tags: listField(linkIn).meta({ description: 'Ids of the tags of the push.' }),
};
export const locationIn = {
  region: Region.meta({ description: 'AWS: the region.' }),
  service: Service.meta({ description: 'AWS: the service.' }),
};
