import { z } from 'zod';
import { flag, freeMap, freeText, linkIn, linkOut, name, text, timeOut, toList, uuidOut } from './fields.ts';
import { pageOf } from './page.ts';

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

const Status = z.enum(INTEGRATION_STATUSES).meta({ id: 'StatusEnum' });
const State = z.enum(TASK_STATES).meta({ id: 'StateEnum' });
const StepOperation = z.enum(STEP_OPERATIONS).meta({ id: 'OperationEnum' });
export const Mode = z.enum(PULL_MODES).meta({ id: 'ModeEnum' });
export const Region = z.enum(AWS_REGIONS).meta({ id: 'AwsRegionEnum' });
export const Service = z.enum(AWS_SERVICES).meta({ id: 'AwsServiceEnum' });

/** What all integrations show; `status` tells the truth, which here is that nobody has looked. */
export const integrationOut = {
  url: linkOut,
  id: uuidOut,
  name: z.string(),
  description: z.string(),
  status: Status,
  status_detail: z.string(),
  status_last_checked_at: timeOut.nullable(),
  created_at: timeOut,
  modified_at: timeOut.nullable(),
  fqn: z.string(),
  type: z.string(),
  writable: z.boolean(),
};

export const integrationIn = { description: freeText(), writable: flag };
export const tagsIn = freeMap(z.string().max(256), z.string().max(128));
const listOf = <Item extends z.ZodType>(item: Item, max = LINKS_MAX) => z.preprocess(toList, z.array(item).max(max));

export const awsIn = {
  aws_account_id: text({ max: 12, blank: 'refused' }).regex(/^[0-9]{12}$/, 'Enter the 12 digits of an account.'),
  aws_enabled_regions: listOf(Region),
  aws_enabled_services: listOf(Service),
  aws_external_id: text({ max: 1_224, blank: 'refused' }).regex(
    /^[\w+=,.@:/-]{2,}$/,
    'At least two characters: letters, digits and +=,.@:/-_',
  ),
  aws_kms_key_id: text({ max: 256, blank: 'refused' })
    .regex(/^[a-zA-Z0-9:/_-]+$/, 'Letters, digits and :/_- only.')
    .nullable(),
  aws_role_name: text({ max: 64, blank: 'refused' }).regex(
    /^[\w+=,.@-]{2,}$/,
    'At least two characters: letters, digits and +=,.@-_',
  ),
  resource_tags: tagsIn,
};
export const azureIn = {
  vault_name: text({ max: 24, blank: 'refused' }).regex(/^[A-Za-z0-9-]+$/, 'Letters, digits and hyphens only.'),
  tenant_id: z.uuid('This is not a valid UUID.').toLowerCase(),
  resource_tags: tagsIn,
};
export const githubIn = {
  gh_installation_id: z.preprocess(
    (given) => (typeof given === 'string' && /^\d{1,10}$/.test(given) ? Number(given) : given),
    z.int().min(0).max(2_147_483_647),
  ),
};

/** Each provider's own fields; those that an answer always has, in the order of the contract. */
export const OWN_FIELDS = {
  aws: {
    aws_account_id: z.string(),
    aws_enabled_regions: z.array(Region),
    aws_enabled_services: z.array(Service),
    aws_external_id: z.string(),
    aws_kms_key_id: z.string().nullable(),
    aws_role_name: z.string(),
    resource_tags: z.record(z.string(), z.string()),
  },
  azure_key_vault: {
    vault_name: z.string(),
    tenant_id: uuidOut,
    resource_tags: z.record(z.string(), z.string()),
  },
  github: { gh_installation_id: z.int(), gh_organization_slug: z.string() },
};

export const taskOut = {
  url: linkOut,
  id: uuidOut,
  reason: z.string().nullable(),
  dry_run: z.boolean(),
  state: State,
  error_code: z.string().nullable(),
  error_detail: z.string().nullable(),
  created_at: timeOut,
  modified_at: timeOut.nullable(),
};

export const stepOut = {
  url: linkOut,
  id: uuidOut,
  operation: StepOperation.nullable(),
  success: z.boolean(),
  success_detail: z.string().nullable(),
  fqn: z.string().nullable(),
  environment: linkOut.nullable(),
  environment_id: uuidOut.nullable(),
  environment_name: z.string().nullable(),
  project: linkOut.nullable(),
  project_id: uuidOut.nullable(),
  project_name: z.string().nullable(),
  parameter: linkOut.nullable(),
  parameter_id: uuidOut.nullable(),
  parameter_name: z.string().nullable(),
  venue_id: z.string().nullable(),
  venue_name: z.string().nullable(),
  summary: z.string().nullable(),
  error_code: z.string().nullable(),
  error_detail: z.string().nullable(),
  created_at: timeOut,
  modified_at: timeOut.nullable(),
};

/** Steps as environments and parameters list them: of whatever provider. */
export const TaskStep = z.object(stepOut).meta({ id: 'TaskStep' });
export type TaskStep = z.infer<typeof TaskStep>;
export const TaskStepPage = pageOf(TaskStep, 'PaginatedTaskStepList');

export const IntegrationTask = z.object(taskOut);
export type IntegrationTask = z.infer<typeof IntegrationTask>;

export const pullOut = { create_environments: z.boolean(), create_projects: z.boolean(), dry_run: z.boolean() };
export const pushOut = {
  coerce_parameters: z.boolean(),
  include_parameters: z.boolean(),
  include_secrets: z.boolean(),
  include_templates: z.boolean(),
  dry_run: z.boolean(),
  force: z.boolean(),
  local: z.boolean(),
  projects: z.array(linkOut),
  tags: z.array(linkOut),
};
export const headOut = <Task extends z.ZodType>(task: Task) => ({
  url: linkOut,
  id: uuidOut,
  name: z.string(),
  description: z.string(),
  latest_task: task.nullable(),
  created_at: timeOut,
  modified_at: timeOut.nullable(),
});
export const placeOut = { region: Region, service: Service };
export const resourceOut = { resource: z.string().nullable() };

export const resourceIn = z.preprocess(
  (given) => (given === '' ? null : given),
  text({ max: RESOURCE_MAX, blank: 'allowed' }).nullable(),
);
export const headIn = { name: name(), description: freeText() };
export const pullIn = { create_environments: flag, create_projects: flag, dry_run: flag };
export const pushIn = {
  coerce_parameters: flag,
  include_parameters: flag,
  include_secrets: flag,
  include_templates: flag,
  dry_run: flag,
  force: flag,
  local: flag,
  projects: listOf(linkIn),
  tags: listOf(linkIn),
};
export const placeIn = { region: Region, service: Service };
