import { z } from 'zod';
import { flag, freeText, linkIn, linkOut, name, text, timeOut, toList, uuidOut } from './fields.ts';
import { DiscoveryResult, PullSync } from './integration-queries.ts';
import { pageOf } from './page.ts';
import { PageQuery, textParameter, uuidParameter } from './query.ts';
import { ValueCreate } from './value.ts';

const RESOURCE_MAX = 1_024;
/** A push of more would be a push of everything. */
const LINKS_MAX = 500;

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
const Mode = z.enum(PULL_MODES).meta({ id: 'ModeEnum' });
const Region = z.enum(AWS_REGIONS).meta({ id: 'AwsRegionEnum' });
const Service = z.enum(AWS_SERVICES).meta({ id: 'AwsServiceEnum' });

/** What all integrations show; `status` tells the truth, which here is that nobody has looked. */
const integrationOut = {
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

const integrationIn = { description: freeText(), writable: flag };
const tagsIn = z.record(z.string().max(128), z.string().max(256));
const listOf = <Item extends z.ZodType>(item: Item, max = LINKS_MAX) => z.preprocess(toList, z.array(item).max(max));

const awsIn = {
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
const azureIn = {
  vault_name: text({ max: 24, blank: 'refused' }).regex(/^[A-Za-z0-9-]+$/, 'Letters, digits and hyphens only.'),
  tenant_id: z.uuid('This is not a valid UUID.').toLowerCase(),
  resource_tags: tagsIn,
};
const githubIn = {
  gh_installation_id: z.preprocess(
    (given) => (typeof given === 'string' && /^\d{1,10}$/.test(given) ? Number(given) : given),
    z.int().min(0).max(2_147_483_647),
  ),
};

/** Each provider's own fields; those that an answer always has, in the order of the contract. */
const OWN_FIELDS = {
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

const taskOut = {
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

const stepOut = {
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

const pullOut = { create_environments: z.boolean(), create_projects: z.boolean(), dry_run: z.boolean() };
const pushOut = {
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
const headOut = <Task extends z.ZodType>(task: Task) => ({
  url: linkOut,
  id: uuidOut,
  name: z.string(),
  description: z.string(),
  latest_task: task.nullable(),
  created_at: timeOut,
  modified_at: timeOut.nullable(),
});
const placeOut = { region: Region, service: Service };
const resourceOut = { resource: z.string().nullable() };

const resourceIn = z.preprocess(
  (given) => (given === '' ? null : given),
  text({ max: RESOURCE_MAX, blank: 'allowed' }).nullable(),
);
const headIn = { name: name(), description: freeText() };
const pullIn = { create_environments: flag, create_projects: flag, dry_run: flag };
const pushIn = {
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
const placeIn = { region: Region, service: Service };

/** All fields optional but those. */
function requiring<Shape extends z.ZodRawShape>(shape: Shape, required: readonly (keyof Shape)[]) {
  return Object.fromEntries(
    Object.entries(shape).map(([key, field]) => [
      key,
      required.includes(key) ? field : (field as z.ZodType).optional(),
    ]),
  ) as unknown as z.ZodRawShape;
}

interface Provider {
  /** Path below `integrations/`. */
  readonly path: string;
  /** Placeholders of the contract begin with it. */
  readonly pk: string;
  /** Names of the contract's schemas begin with it. */
  readonly noun: string;
  readonly createFields: z.ZodRawShape;
  readonly createRequired: readonly string[];
  /** Absent: the contract has no way of changing one. */
  readonly updateFields?: z.ZodRawShape;
  readonly filters: readonly string[];
  /** Whether a pull and a push name a place besides the resource. */
  readonly placed: boolean;
  /** What people may do with pulls, pushes and scans; the rest is the system's. */
  readonly open: boolean;
}

/** The providers of the contract; everything that differs between them. */
const TABLE = {
  aws: {
    path: 'aws',
    pk: 'aws',
    noun: 'Aws',
    createFields: { ...integrationIn, ...awsIn },
    createRequired: ['aws_account_id', 'aws_enabled_regions', 'aws_enabled_services', 'aws_role_name'],
    updateFields: { ...integrationIn, ...awsIn },
    filters: ['aws_account_id', 'aws_role_name'],
    placed: true,
    open: true,
  },
  azure_key_vault: {
    path: 'azure/key_vault',
    pk: 'akv',
    noun: 'AzureKeyVault',
    createFields: { ...integrationIn, ...azureIn },
    createRequired: ['tenant_id', 'vault_name'],
    updateFields: { ...integrationIn, resource_tags: tagsIn },
    filters: ['tenant_id', 'vault_name'],
    placed: false,
    open: true,
  },
  github: {
    path: 'github',
    pk: 'github',
    noun: 'GitHub',
    createFields: { ...integrationIn, ...githubIn },
    createRequired: ['gh_installation_id'],
    filters: ['gh_organization_slug'],
    placed: false,
    open: false,
  },
} as const satisfies Record<string, Provider>;

export const PROVIDERS = ['aws', 'azure_key_vault', 'github'] as const;
export type ProviderName = (typeof PROVIDERS)[number];

/** Every shape of one provider, under the names of the contract. */
function shapesOf(provider: ProviderName) {
  const { noun, createFields, createRequired, filters, placed, open }: Provider = TABLE[provider];
  const { updateFields }: Provider = TABLE[provider];
  const place = placed ? placeOut : {};
  const placeRequired = placed ? ['region', 'service'] : [];
  const resource = provider === 'github' ? {} : resourceOut;
  const pullTask = z.object(taskOut).meta({ id: `${noun}PullTask` });
  const pullStep = z.object(stepOut).meta({ id: `${noun}PullTaskStep` });
  const pushTask = z.object(taskOut).meta({ id: `${noun}PushTask` });
  const pushStep = z.object(stepOut).meta({ id: `${noun}PushTaskStep` });
  const mapped = { mapped_values: z.array(ValueCreate), mode: Mode };
  const pull = z
    .object({ ...headOut(pullTask), ...pullOut, ...mapped, ...place, ...resource })
    .meta({ id: `${noun}Pull` });
  const push = z.object({ ...headOut(pushTask), ...pushOut, ...place, ...resource }).meta({ id: `${noun}Push` });
  const integration = z.object({ ...integrationOut, ...OWN_FIELDS[provider] }).meta({ id: `${noun}Integration` });
  const pullFields = {
    ...headIn,
    ...pullIn,
    ...(placed && placeIn),
    ...(open && { resource: resourceIn }),
  };
  const pushFields = { ...headIn, ...pushIn, resource: resourceIn };
  const pullRequired = ['name', ...placeRequired, ...(open ? ['resource'] : [])];
  const body = (id: string, fields: z.ZodRawShape, required: readonly string[]) =>
    z.object(requiring(fields, required)).meta({ id });
  return {
    integration,
    integrations: pageOf(integration, `Paginated${noun}IntegrationList`),
    integrationFilters: PageQuery.extend(
      Object.fromEntries(
        filters.map((field) => [
          field,
          field === 'tenant_id' ? uuidParameter('Exactly this tenant.') : textParameter(`Exactly this ${field}.`),
        ]),
      ) as Record<never, never>,
    ),
    integrationCreate: body(`${noun}IntegrationCreate`, createFields, createRequired),
    integrationUpdate:
      updateFields && body(`${noun}IntegrationUpdate`, updateFields, provider === 'aws' ? createRequired : []),
    integrationPatch: updateFields && body(`Patched${noun}Integration`, updateFields, []),
    pull,
    pulls: pageOf(pull, `Paginated${noun}PullList`),
    pullCreate: body(`${noun}PullCreate`, pullFields, pullRequired),
    pullUpdate: body(`${noun}PullUpdate`, pullFields, pullRequired),
    pullPatch: body(`Patched${noun}Pull`, pullFields, []),
    pullSync: PullSync.meta({ id: `${noun}PullSyncActionRequest` }),
    push,
    pushes: pageOf(push, `Paginated${noun}PushList`),
    pushCreate: body(`${noun}PushCreate`, { ...pushFields, ...(placed && placeIn) }, [
      ...['name', 'projects', 'tags', 'resource'],
      ...placeRequired,
    ]),
    pushUpdate: body(`${noun}PushUpdate`, pushFields, ['name', 'projects', 'resource', 'tags']),
    pushPatch: body(`Patched${noun}PushUpdate`, pushFields, []),
    pullTask,
    pullTasks: pageOf(pullTask, `Paginated${noun}PullTaskList`),
    pullStep,
    pullSteps: pageOf(pullStep, `Paginated${noun}PullTaskStepList`),
    pushTask,
    pushTasks: pageOf(pushTask, `Paginated${noun}PushTaskList`),
    pushStep,
    pushSteps: pageOf(pushStep, `Paginated${noun}PushTaskStepList`),
    discovery: DiscoveryResult,
    scan: body(`${noun}IntegrationScan`, { ...(placed && placeIn), resource: resourceIn }, [
      'resource',
      ...placeRequired,
    ]),
  };
}

export type ProviderShapes = ReturnType<typeof shapesOf>;

/** The providers, with their shapes. */
export const INTEGRATIONS: Readonly<Record<ProviderName, Provider & { readonly shapes: ProviderShapes }>> = {
  aws: { ...TABLE.aws, shapes: shapesOf('aws') },
  azure_key_vault: { ...TABLE.azure_key_vault, shapes: shapesOf('azure_key_vault') },
  github: { ...TABLE.github, shapes: shapesOf('github') },
};

/** What is written about an integration, whichever provider's. */
export interface IntegrationWish {
  readonly description?: string;
  readonly writable?: boolean;
  readonly aws_account_id?: string;
  readonly aws_enabled_regions?: readonly string[];
  readonly aws_enabled_services?: readonly string[];
  readonly aws_external_id?: string;
  readonly aws_kms_key_id?: string | null;
  readonly aws_role_name?: string;
  readonly vault_name?: string;
  readonly tenant_id?: string;
  readonly gh_installation_id?: number;
  readonly resource_tags?: Readonly<Record<string, string>>;
}

export interface PullWish extends Partial<z.infer<z.ZodObject<typeof pullIn>>> {
  readonly name?: string;
  readonly description?: string;
  readonly region?: string;
  readonly service?: string;
  readonly resource?: string | null;
}

export interface PushWish extends Partial<z.infer<z.ZodObject<typeof pushIn>>> {
  readonly name?: string;
  readonly description?: string;
  readonly region?: string;
  readonly service?: string;
  readonly resource?: string | null;
}

export const AwsIntegration = INTEGRATIONS.aws.shapes.integration;
export interface Integration extends z.infer<z.ZodObject<typeof integrationOut>> {
  readonly [own: string]: unknown;
}
export interface Pull
  extends z.infer<z.ZodObject<ReturnType<typeof headOut<typeof IntegrationTask>> & typeof pullOut>> {
  readonly mapped_values: readonly ValueCreate[];
  readonly mode: (typeof PULL_MODES)[number];
  readonly region?: string;
  readonly service?: string;
  readonly resource?: string | null;
}
export interface Push
  extends z.infer<z.ZodObject<ReturnType<typeof headOut<typeof IntegrationTask>> & typeof pushOut>> {
  readonly region?: string;
  readonly service?: string;
  readonly resource: string | null;
}
/** An AWS push as projects and tags embed it. */
export const AwsPush = INTEGRATIONS.aws.shapes.push;
