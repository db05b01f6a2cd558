import { z } from 'zod';
import { flag, freeMap, freeText, linkIn, linkOut, name, text, timeOut, toList, uuidOut } from './fields.ts';
import { pageOf } from './page.ts';
import { vocabulary } from './vocabulary.ts';

const RESOURCE_MAX = 1_024;
/** Every project times every tag is a step of each run. */
const LINKS_MAX = 50;

export const INTEGRATION_STATUSES = ['unknown', 'pending', 'checking', 'connected', 'errored', 'missing'] as const;
export const TASK_STATES = ['queued', 'running', 'skipped', 'success', 'failure'] as const;
export const STEP_OPERATIONS = ['create', 'read', 'update', 'delete'] as const;
export const PULL_MODES = ['mapped', 'pattern'] as const;
export const AWS_SERVICES = ['s3', 'secretsmanager', 'ssm'] as const;
export const AWS_REGIONS = [
  ...['af-south-1', 'ap-east-1', 'ap-northeast-1', 'ap-northeast-2', 'ap-northeast-3', 'ap-south-1'],
  ...['ap-southeast-1', 'ap-southeast-2', 'ca-central-1', 'cn-north-1', 'cn-northwest-1', 'eu-central-1'],
  ...['eu-north-1', 'eu-south-1', 'eu-west-1', 'eu-west-2', 'eu-west-3', 'me-south-1', 'sa-east-1'],
  ...['us-east-1', 'us-east-2', 'us-west-1', 'us-west-2'],
] as const;

const Status = vocabulary(INTEGRATION_STATUSES, {
  name: 'IntegrationStatus',
  description: 'Whether an integration works.',
  meaning: (status) => `It is ${status}.`,
}).meta({ id: 'StatusEnum' });
export const State = vocabulary(TASK_STATES, {
  name: 'TaskState',
  description: 'How far a run is.',
  meaning: (state) => `It is ${state}.`,
}).meta({ id: 'StateEnum' });
export const StepOperation = vocabulary(STEP_OPERATIONS, {
  name: 'StepOperation',
  description: 'What a step did.',
  meaning: (step) => `To ${step} it.`,
}).meta({ id: 'OperationEnum' });
export const Mode = vocabulary(PULL_MODES, {
  name: 'PullMode',
  description: 'How a pull finds names.',
  meaning: (mode) => (mode === 'mapped' ? 'By a list of values.' : 'By a pattern.'),
}).meta({ id: 'ModeEnum' });
export const Region = z.enum(AWS_REGIONS).meta({ id: 'AwsRegionEnum' });
export const Service = vocabulary(AWS_SERVICES, {
  name: 'AwsService',
  description: 'Services of AWS.',
  meaning: (service) => `The service ${service}.`,
}).meta({ id: 'AwsServiceEnum' });

/** What all integrations show; `status` tells the truth, which here is that nobody has looked. */
export const integrationOut = {
  url: linkOut.meta({ description: 'Its link.' }),
  id: uuidOut.meta({ description: 'Its id.' }),
  name: z.string().meta({ description: 'Its name.' }),
  description: z.string().meta({ description: 'What it is for; may be empty.' }),
  status: Status.meta({ description: 'Whether it works, as far as it is known.' }),
  status_detail: z.string().meta({ description: 'More about it.' }),
  status_last_checked_at: timeOut.nullable().meta({ description: 'When it was looked at last; null for never.' }),
  created_at: timeOut.meta({ description: 'When it was made.' }),
  modified_at: timeOut.nullable().meta({ description: 'When it was last changed.' }),
  fqn: z.string().meta({ description: 'Its place.' }),
  type: z.string().meta({ description: 'The kind of place.' }),
  writable: z.boolean().meta({ description: 'Whether pushes may write there.' }),
};

export const integrationIn = {
  description: freeText().meta({ description: 'What it is for; may be empty.' }),
  writable: flag.meta({ description: 'Whether pushes may write there.' }),
};
export const tagsIn = freeMap(z.string().max(256), z.string().max(128)).meta({
  description: 'AWS and Azure: tags of everything that is written.',
});
const listOf = <Item extends z.ZodType>(item: Item, max = LINKS_MAX) => z.preprocess(toList, z.array(item).max(max));

export const awsIn = {
  aws_account_id: text({ max: 12, blank: 'refused' })
    .regex(/^[0-9]{12}$/, 'Enter the 12 digits of an account.')
    .meta({ description: 'AWS: id of the account.' }),
  aws_enabled_regions: listOf(Region).meta({ description: 'AWS: the regions to look at.' }),
  aws_enabled_services: listOf(Service).meta({ description: 'AWS: the services to look at.' }),
  aws_external_id: text({ max: 1_224, blank: 'refused' })
    .regex(/^[\w+=,.@:/-]{2,}$/, 'At least two characters: letters, digits and +=,.@:/-_')
    .meta({ description: 'AWS: the external id that the role asks for.' }),
  aws_kms_key_id: text({ max: 256, blank: 'refused' })
    .regex(/^[a-zA-Z0-9:/_-]+$/, 'Letters, digits and :/_- only.')
    .nullable()
    .meta({ description: 'AWS: id of the key that encrypts.' }),
  aws_role_name: text({ max: 64, blank: 'refused' })
    .regex(/^[\w+=,.@-]{2,}$/, 'At least two characters: letters, digits and +=,.@-_')
    .meta({ description: 'AWS: name of the role to take.' }),
  resource_tags: tagsIn.meta({ description: 'AWS and Azure: tags of everything that is written.' }),
};
export const azureIn = {
  vault_name: text({ max: 24, blank: 'refused' })
    .regex(/^[A-Za-z0-9-]+$/, 'Letters, digits and hyphens only.')
    .meta({ description: 'Azure: name of the vault.' }),
  tenant_id: z.uuid('This is not a valid UUID.').toLowerCase().meta({ description: 'Azure: id of the tenant.' }),
  resource_tags: tagsIn.meta({ description: 'AWS and Azure: tags of everything that is written.' }),
};
export const githubIn = {
  gh_installation_id: z
    .preprocess(
      (text) => (typeof text === 'string' && /^\d{1,10}$/.test(text) ? Number(text) : text),
      z.int().min(0).max(2_147_483_647),
    )
    .meta({ description: 'GitHub: id of the installation.' }),
};

/** Each provider's own fields; those that an answer always has, in the order of the contract. */
export const OWN_FIELDS = {
  aws: {
    aws_account_id: z.string().meta({ description: 'AWS: id of the account.' }),
    aws_enabled_regions: z.array(Region).meta({ description: 'AWS: the regions to look at.' }),
    aws_enabled_services: z.array(Service).meta({ description: 'AWS: the services to look at.' }),
    aws_external_id: z.string().meta({ description: 'AWS: the external id that the role asks for.' }),
    aws_kms_key_id: z.string().nullable().meta({ description: 'AWS: id of the key that encrypts.' }),
    aws_role_name: z.string().meta({ description: 'AWS: name of the role to take.' }),
    resource_tags: z
      .record(z.string(), z.string())
      .meta({ description: 'AWS and Azure: tags of everything that is written.' }),
  },
  azure_key_vault: {
    vault_name: z.string().meta({ description: 'Azure: name of the vault.' }),
    tenant_id: uuidOut.meta({ description: 'Azure: id of the tenant.' }),
    resource_tags: z
      .record(z.string(), z.string())
      .meta({ description: 'AWS and Azure: tags of everything that is written.' }),
  },
  github: {
    gh_installation_id: z.int().meta({ description: 'GitHub: id of the installation.' }),
    gh_organization_slug: z.string().meta({ description: 'GitHub: name of the organization.' }),
  },
};

export const taskOut = {
  url: linkOut.meta({ description: 'Its link.' }),
  id: uuidOut.meta({ description: 'Its id.' }),
  reason: z.string().nullable().meta({ description: 'Why it was run.' }),
  dry_run: z.boolean().meta({ description: 'Whether it only says what it would do.' }),
  state: State.meta({ description: 'How far it is.' }),
  error_code: z.string().nullable().meta({ description: 'Code of what went wrong.' }),
  error_detail: z.string().nullable().meta({ description: 'What went wrong.' }),
  created_at: timeOut.meta({ description: 'When it was made.' }),
  modified_at: timeOut.nullable().meta({ description: 'When it was last changed.' }),
};

export const stepOut = {
  url: linkOut.meta({ description: 'Its link.' }),
  id: uuidOut.meta({ description: 'Its id.' }),
  operation: StepOperation.nullable().meta({ description: 'What was done.' }),
  success: z.boolean().meta({ description: 'Whether it went well.' }),
  success_detail: z.string().nullable().meta({ description: 'More about it.' }),
  fqn: z.string().nullable().meta({ description: 'The place outside.' }),
  environment: linkOut.nullable().meta({ description: 'The environment.' }),
  environment_id: uuidOut.nullable().meta({ description: 'Id of the environment.' }),
  environment_name: z.string().nullable().meta({ description: 'Name of the environment.' }),
  project: linkOut.nullable().meta({ description: 'The project.' }),
  project_id: uuidOut.nullable().meta({ description: 'Id of the project.' }),
  project_name: z.string().nullable().meta({ description: 'Name of the project.' }),
  parameter: linkOut.nullable().meta({ description: 'The parameter.' }),
  parameter_id: uuidOut.nullable().meta({ description: 'Id of the parameter.' }),
  parameter_name: z.string().nullable().meta({ description: 'Name of the parameter.' }),
  venue_id: z.string().nullable().meta({ description: 'Id on the other side.' }),
  venue_name: z.string().nullable().meta({ description: 'Name on the other side.' }),
  summary: z.string().nullable().meta({ description: 'What happened, in words.' }),
  error_code: z.string().nullable().meta({ description: 'Code of what went wrong.' }),
  error_detail: z.string().nullable().meta({ description: 'What went wrong.' }),
  created_at: timeOut.meta({ description: 'When it was made.' }),
  modified_at: timeOut.nullable().meta({ description: 'When it was last changed.' }),
};

/** Steps as environments and parameters list them: of whatever provider. */
export const TaskStep = z.object(stepOut).meta({ id: 'TaskStep', description: 'What a run did with one value.' });
export type TaskStep = z.infer<typeof TaskStep>;
export const TaskStepPage = pageOf(TaskStep, 'PaginatedTaskStepList');

export const IntegrationTask = z.object(taskOut);
export type IntegrationTask = z.infer<typeof IntegrationTask>;

export const pullOut = {
  create_environments: z.boolean().meta({ description: 'Whether environments are made that are not there.' }),
  create_projects: z.boolean().meta({ description: 'Whether projects are made that are not there.' }),
  dry_run: z.boolean().meta({ description: 'Whether its runs only say what they would do.' }),
};
export const pushOut = {
  coerce_parameters: z.boolean().meta({ description: 'Whether texts are made to fit.' }),
  include_parameters: z.boolean().meta({ description: 'Whether parameters that are no secrets are carried.' }),
  include_secrets: z.boolean().meta({ description: 'Whether secrets are carried.' }),
  include_templates: z.boolean().meta({ description: 'Whether templates are carried.' }),
  dry_run: z.boolean().meta({ description: 'Whether its runs only say what they would do.' }),
  force: z.boolean().meta({ description: 'Whether what somebody else wrote is written over.' }),
  local: z.boolean().meta({ description: 'Whether only what a project itself has is carried.' }),
  projects: z.array(linkOut).meta({ description: 'The projects it carries.' }),
  tags: z.array(linkOut).meta({ description: 'The tags it carries.' }),
};
export const headOut = <Task extends z.ZodType>(task: Task) => ({
  url: linkOut.meta({ description: 'Its link.' }),
  id: uuidOut.meta({ description: 'Its id.' }),
  name: z.string().meta({ description: 'Its name.' }),
  description: z.string().meta({ description: 'What it is for; may be empty.' }),
  latest_task: task.nullable().meta({ description: 'Its latest run.' }),
  created_at: timeOut.meta({ description: 'When it was made.' }),
  modified_at: timeOut.nullable().meta({ description: 'When it was last changed.' }),
});
export const locationOut = {
  region: Region.meta({ description: 'AWS: the region.' }),
  service: Service.meta({ description: 'AWS: the service.' }),
};
export const resourceOut = {
  resource: z.string().nullable().meta({ description: 'Where in the place outside; may have placeholders.' }),
};

export const resourceIn = z
  .preprocess((text) => (text === '' ? null : text), text({ max: RESOURCE_MAX, blank: 'allowed' }).nullable())
  .meta({ description: 'Where in the place outside; may have placeholders.' });
export const headIn = {
  name: name().meta({ description: 'Its name.' }),
  description: freeText().meta({ description: 'What it is for; may be empty.' }),
};
export const pullIn = {
  create_environments: flag.meta({ description: 'Whether environments are made that are not there.' }),
  create_projects: flag.meta({ description: 'Whether projects are made that are not there.' }),
  dry_run: flag.meta({ description: 'Whether its runs only say what they would do.' }),
};
export const pushIn = {
  coerce_parameters: flag.meta({ description: 'Whether texts are made to fit.' }),
  include_parameters: flag.meta({ description: 'Whether parameters that are no secrets are carried.' }),
  include_secrets: flag.meta({ description: 'Whether secrets are carried.' }),
  include_templates: flag.meta({ description: 'Whether templates are carried.' }),
  dry_run: flag.meta({ description: 'Whether its runs only say what they would do.' }),
  force: flag.meta({ description: 'Whether what somebody else wrote is written over.' }),
  local: flag.meta({ description: 'Whether only what a project itself has is carried.' }),
  projects: listOf(linkIn).meta({ description: 'Ids of the projects it carries.' }),
  tags: listOf(linkIn).meta({ description: 'Ids of the tags it carries.' }),
};
export const locationIn = {
  region: Region.meta({ description: 'AWS: the region.' }),
  service: Service.meta({ description: 'AWS: the service.' }),
};
