import { z } from 'zod';
import {
  awsIn,
  azureIn,
  githubIn,
  googleIn,
  headIn,
  headOutput,
  IntegrationTask,
  integrationIn,
  integrationOutput,
  locationIn,
  locationOutput,
  Mode,
  OWN_FIELDS,
  PULL_MODES,
  pullIn,
  pullOutput,
  pushIn,
  pushOutput,
  resourceIn,
  resourceOutput,
  Status,
  stepOutput,
  tagsIn,
  taskOutput,
} from './integration-fields.ts';
import { DiscoveryResult, PullSyncRequest } from './integration-queries.ts';
import { pageSchema } from './page.ts';
import { choiceParameter, descriptionFilter, nameFilters, PageQuery, textParameter, uuidParameter } from './query.ts';
import { ValueCreate } from './value.ts';
import { vocabulary } from './vocabulary.ts';

/** Makes all fields optional except the given ones. */
function requiring<Shape extends z.ZodRawShape>(shape: Shape, required: readonly (keyof Shape)[]) {
  return Object.fromEntries(
    Object.entries(shape).map(([key, field]) => [
      key,
      required.includes(key) ? field : (field as z.ZodType).optional(),
    ]),
  ) as unknown as z.ZodRawShape;
}

interface ProviderTraits {
  /** The path below `integrations/`. */
  readonly path: string;
  /** The prefix of the placeholders in the contract. */
  readonly pk: string;
  /** The prefix of the schema names in the contract. */
  readonly noun: string;
  readonly createFields: z.ZodRawShape;
  readonly createRequired: readonly string[];
  /** Absent if the contract has no update operation for this provider. */
  readonly updateFields?: z.ZodRawShape;
  readonly filters: readonly string[];
  /** Whether pulls and pushes have a location in addition to the resource. */
  readonly hasLocation: boolean;
  /** Whether users can create pulls and scan. Otherwise only the system creates pulls. */
  readonly open: boolean;
}

/** The providers of the contract and their differences. */
const TABLE = {
  aws: {
    path: 'aws',
    pk: 'aws',
    noun: 'Aws',
    createFields: { ...integrationIn, ...awsIn },
    createRequired: ['aws_account_id', 'aws_enabled_regions', 'aws_enabled_services', 'aws_role_name'],
    updateFields: { ...integrationIn, ...awsIn },
    filters: ['aws_account_id', 'aws_role_name'],
    hasLocation: true,
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
    hasLocation: false,
    open: true,
  },
  google_secret_manager: {
    path: 'google/secret_manager',
    pk: 'gsm',
    noun: 'GoogleSecretManager',
    createFields: { ...integrationIn, ...googleIn },
    createRequired: ['google_project_id'],
    updateFields: { ...integrationIn, resource_tags: googleIn.resource_tags },
    filters: ['google_project_id'],
    hasLocation: false,
    open: true,
  },
  github: {
    path: 'github',
    pk: 'github',
    noun: 'GitHub',
    createFields: { ...integrationIn, ...githubIn },
    createRequired: ['gh_installation_id'],
    updateFields: integrationIn,
    filters: ['gh_organization_slug'],
    hasLocation: false,
    open: false,
  },
} as const satisfies Record<string, ProviderTraits>;

export const PROVIDERS = ['aws', 'azure_key_vault', 'google_secret_manager', 'github'] as const;
export const Provider = vocabulary(PROVIDERS, {
  name: 'IntegrationProvider',
  description: 'The provider of an integration.',
  meaning: (provider) =>
    ({
      aws: 'Amazon Web Services.',
      azure_key_vault: 'Azure Key Vault.',
      google_secret_manager: 'Google Secret Manager.',
      github: 'GitHub.',
    })[provider],
});
export type ProviderName = (typeof PROVIDERS)[number];

/** Returns all shapes of one provider, under the names of the contract. */
function createShapes(provider: ProviderName) {
  const { noun, createFields, createRequired, filters, hasLocation, open }: ProviderTraits = TABLE[provider];
  const { updateFields }: ProviderTraits = TABLE[provider];
  const location = hasLocation ? locationOutput : {};
  const locationRequired = hasLocation ? ['region', 'service'] : [];
  const pullResource = open ? resourceOutput : {};
  const tasks = createTaskShapes(noun);
  const mapped = {
    mapped_values: z.array(ValueCreate).meta({ description: 'The mapped values, in the format of the REST API.' }),
    mode: Mode.meta({ description: 'How the names of parameters are determined.' }),
  };
  const pull = z
    .object({ ...headOutput(tasks.pullTask), ...pullOutput, ...mapped, ...location, ...pullResource })
    .meta({ id: `${noun}Pull` });
  const push = z
    .object({ ...headOutput(tasks.pushTask), ...pushOutput, ...location, ...resourceOutput })
    .meta({ id: `${noun}Push` });
  const integration = z.object({ ...integrationOutput, ...OWN_FIELDS[provider] }).meta({ id: `${noun}Integration` });
  const pullFields = {
    ...headIn,
    ...pullIn,
    ...(hasLocation && locationIn),
    ...(open && { resource: resourceIn }),
  };
  const pushFields = { ...headIn, ...pushIn, resource: resourceIn };
  const pullRequired = ['name', ...locationRequired, ...(open ? ['resource'] : [])];
  const body = (id: string, fields: z.ZodRawShape, required: readonly string[]) =>
    z.object(requiring(fields, required)).meta({ id });
  return {
    integration,
    integrations: pageSchema(integration, `Paginated${noun}IntegrationList`),
    integrationFilters: PageQuery.extend(
      Object.fromEntries(
        filters.map((field) => [
          field,
          field === 'tenant_id' ? uuidParameter('Exact tenant.') : textParameter(`Exact ${field}.`),
        ]),
      ) as Record<never, never>,
    ),
    integrationCreate: body(`${noun}IntegrationCreate`, createFields, createRequired),
    integrationUpdate:
      updateFields && body(`${noun}IntegrationUpdate`, updateFields, provider === 'aws' ? createRequired : []),
    integrationPatch: updateFields && body(`Patched${noun}Integration`, updateFields, []),
    pull,
    pulls: pageSchema(pull, `Paginated${noun}PullList`),
    pullCreate: body(`${noun}PullCreate`, pullFields, pullRequired),
    pullUpdate: body(`${noun}PullUpdate`, pullFields, pullRequired),
    pullPatch: body(`Patched${noun}Pull`, pullFields, []),
    pullSync: PullSyncRequest.meta({ id: `${noun}PullSyncActionRequest` }),
    push,
    pushes: pageSchema(push, `Paginated${noun}PushList`),
    pushCreate: body(`${noun}PushCreate`, { ...pushFields, ...(hasLocation && locationIn) }, [
      ...['name', 'projects', 'tags', 'resource'],
      ...locationRequired,
    ]),
    pushUpdate: body(`${noun}PushUpdate`, pushFields, ['name', 'projects', 'resource', 'tags']),
    pushPatch: body(`Patched${noun}PushUpdate`, pushFields, []),
    ...tasks,
    discovery: DiscoveryResult,
    scan: body(`${noun}IntegrationScan`, { ...(hasLocation && locationIn), resource: resourceIn }, [
      'resource',
      ...locationRequired,
    ]),
  };
}

function createTaskShapes(noun: string) {
  const pullTask = z.object(taskOutput).meta({ id: `${noun}PullTask` });
  const pullStep = z.object(stepOutput).meta({ id: `${noun}PullTaskStep` });
  const pushTask = z.object(taskOutput).meta({ id: `${noun}PushTask` });
  const pushStep = z.object(stepOutput).meta({ id: `${noun}PushTaskStep` });
  return {
    pullTask,
    pullTasks: pageSchema(pullTask, `Paginated${noun}PullTaskList`),
    pullStep,
    pullSteps: pageSchema(pullStep, `Paginated${noun}PullTaskStepList`),
    pushTask,
    pushTasks: pageSchema(pushTask, `Paginated${noun}PushTaskList`),
    pushStep,
    pushSteps: pageSchema(pushStep, `Paginated${noun}PushTaskStepList`),
  };
}

export type ProviderShapes = ReturnType<typeof createShapes>;

export const INTEGRATIONS: Readonly<Record<ProviderName, ProviderTraits & { readonly shapes: ProviderShapes }>> = {
  aws: { ...TABLE.aws, shapes: createShapes('aws') },
  azure_key_vault: { ...TABLE.azure_key_vault, shapes: createShapes('azure_key_vault') },
  google_secret_manager: { ...TABLE.google_secret_manager, shapes: createShapes('google_secret_manager') },
  github: { ...TABLE.github, shapes: createShapes('github') },
};

/** The input of an integration of any provider. */
export interface IntegrationInput {
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
  readonly google_project_id?: string;
  readonly gh_installation_id?: number;
  /** No member of a request: a test of the connection finds it out. */
  readonly gh_organization_slug?: string;
  readonly resource_tags?: Readonly<Record<string, string>>;
}

export interface PullInput extends Partial<z.infer<z.ZodObject<typeof pullIn>>> {
  readonly name?: string;
  readonly description?: string;
  readonly region?: string;
  readonly service?: string;
  readonly resource?: string | null;
}

export interface PushInput extends Partial<z.infer<z.ZodObject<typeof pushIn>>> {
  readonly name?: string;
  readonly description?: string;
  readonly region?: string;
  readonly service?: string;
  readonly resource?: string | null;
}

export interface Integration extends z.infer<z.ZodObject<typeof integrationOutput>> {
  readonly [name: string]: unknown;
}
export interface Pull
  extends z.infer<z.ZodObject<ReturnType<typeof headOutput<typeof IntegrationTask>> & typeof pullOutput>> {
  readonly mapped_values: readonly ValueCreate[];
  readonly mode: (typeof PULL_MODES)[number];
  readonly region?: string;
  readonly service?: string;
  readonly resource?: string | null;
}
export interface Push
  extends z.infer<z.ZodObject<ReturnType<typeof headOutput<typeof IntegrationTask>> & typeof pushOutput>> {
  readonly region?: string;
  readonly service?: string;
  readonly resource: string | null;
}
/** The form in which projects and tags embed an AWS push. */
export const AwsPush = INTEGRATIONS.aws.shapes.push;

/** An integration with any provider. It has the members of its own provider. */
const AnyIntegration = z
  .object({
    ...integrationOutput,
    ...requiring(Object.assign({}, ...PROVIDERS.map((provider) => OWN_FIELDS[provider])), []),
  })
  .meta({ id: 'AnyIntegration', description: 'An integration. `type` is its provider, whose members it has.' });
export const AnyIntegrationPage = pageSchema(AnyIntegration, 'PaginatedAnyIntegrationList');

export const AnyIntegrationListQuery = PageQuery.extend({
  ...nameFilters,
  ...descriptionFilter,
  provider: choiceParameter(Provider, 'Only integrations with this provider.'),
  status: choiceParameter(Status, 'Only integrations with this status.'),
});
export type AnyIntegrationListQuery = z.infer<typeof AnyIntegrationListQuery>;
