import * as contract from '@strata/contract';
import { INTEGRATIONS, PROVIDERS } from '@strata/contract';
import type { z } from 'zod';
import { Environment } from '../environments/environments.ts';
import { action } from '../graphql/action.ts';
import { listField } from '../graphql/list.ts';
import { resource } from '../graphql/resource.ts';
import { type Say, shape } from '../graphql/shape.ts';
import { Parameter } from '../parameters/parameters.ts';
import { layProvidersOver, merged } from './any-provider.ts';

layProvidersOver();

type ShapeName = keyof contract.ProviderShapes;

/** The shapes of all providers as one, and every single one, for answers in them. */
function all(...names: readonly ShapeName[]) {
  const alsoOf = PROVIDERS.flatMap((provider) =>
    names.map((name) => INTEGRATIONS[provider].shapes[name] as z.ZodObject),
  );
  return { schema: merged(alsoOf) as z.ZodObject, alsoOf };
}

/** Sayings of a shape that is made of several; the compiler does not know its members, so that the start checks them. */
const sayings = (said: Readonly<Record<string, Say>>) => said as never;

const own = {
  aws_account_id: 'AWS: id of the account.',
  aws_enabled_regions: 'AWS: the regions to look at.',
  aws_enabled_services: 'AWS: the services to look at.',
  aws_external_id: 'AWS: the external id that the role asks for.',
  aws_kms_key_id: 'AWS: id of the key that encrypts.',
  aws_role_name: 'AWS: name of the role to take.',
  vault_name: 'Azure: name of the vault.',
  tenant_id: 'Azure: id of the tenant.',
  resource_tags: 'AWS and Azure: tags of everything that is written.',
  gh_installation_id: 'GitHub: id of the installation.',
  gh_organization_slug: 'GitHub: name of the organization.',
};

const integration = all('integration');
const Integration = shape(
  'Integration',
  'A connection to a place outside where configuration is kept. Fields of other providers are null.',
  integration.schema,
  sayings({
    name: 'Its name.',
    description: 'What it is for; may be empty.',
    status: 'Whether it works, as far as it is known.',
    status_detail: 'More about it.',
    status_last_checked_at: 'When it was looked at last; null for never.',
    fqn: 'Its place.',
    type: 'The kind of place.',
    writable: 'Whether pushes may write there.',
    ...own,
  }),
  { at: 'integrations/{provider}/{id}/', alsoOf: integration.alsoOf },
);

const task = all('pullTask', 'pushTask');
const runSayings = {
  reason: 'Why it was run.',
  dry_run: 'Whether it only says what it would do.',
  state: 'How far it is.',
  error_code: 'Code of what went wrong.',
  error_detail: 'What went wrong.',
};
const Task = shape('Task', 'One run of a pull or a push.', task.schema, sayings(runSayings), task);

const step = all('pullStep', 'pushStep');
const TaskStep = shape(
  'TaskStep',
  'What a run did with one value.',
  contract.TaskStep,
  {
    operation: 'What was done.',
    success: 'Whether it went well.',
    success_detail: 'More about it.',
    fqn: 'The place outside.',
    environment: { about: '', withoutId: true, to: ['Environment', 'The environment.'] },
    environment_id: 'Id of the environment.',
    environment_name: 'Name of the environment.',
    project: { about: '', withoutId: true, to: ['Project', 'The project.'] },
    project_id: 'Id of the project.',
    project_name: 'Name of the project.',
    parameter: { about: '', withoutId: true, to: ['Parameter', 'The parameter.'] },
    parameter_id: 'Id of the parameter.',
    parameter_name: 'Name of the parameter.',
    venue_id: 'Id on the other side.',
    venue_name: 'Name on the other side.',
    summary: 'What happened, in words.',
    error_code: 'Code of what went wrong.',
    error_detail: 'What went wrong.',
  },
  { alsoOf: step.alsoOf },
);

const head = {
  name: 'Its name.',
  description: 'What it is for; may be empty.',
  latest_task: { about: 'Its latest run.' },
  dry_run: 'Whether its runs only say what they would do.',
  region: 'AWS: the region.',
  service: 'AWS: the service.',
  resource: 'Where in the place outside; may have placeholders.',
};

const pull = all('pull');
const Pull = shape(
  'Pull',
  'Brings configuration in from an integration.',
  pull.schema,
  sayings({
    ...head,
    create_environments: 'Whether environments are made that are not there.',
    create_projects: 'Whether projects are made that are not there.',
    mapped_values: { about: 'The values it maps, as the REST API has them.', kind: { is: 'json' } },
    mode: 'How names are found.',
  }),
  { at: 'integrations/{provider}/{integrationId}/pulls/{id}/', alsoOf: pull.alsoOf },
);

const push = all('push');
const Push = shape(
  'Push',
  'Carries configuration out to an integration.',
  push.schema,
  sayings({
    ...head,
    coerce_parameters: 'Whether texts are made to fit.',
    include_parameters: 'Whether parameters that are no secrets are carried.',
    include_secrets: 'Whether secrets are carried.',
    include_templates: 'Whether templates are carried.',
    force: 'Whether what somebody else wrote is written over.',
    local: 'Whether only what a project itself has is carried.',
    projects: { about: 'Ids of the projects it carries.', to: ['Project', 'The projects it carries.'] },
    tags: { about: 'Ids of the tags it carries.', to: ['Tag', 'The tags it carries.'] },
  }),
  { at: 'integrations/{provider}/{integrationId}/pushes/{id}/', alsoOf: push.alsoOf },
);

shape('Discovery', 'What was found on the other side.', INTEGRATIONS.aws.shapes.discovery, {
  matched: { about: 'What fits the pattern, by place, as the REST API has it.', kind: { is: 'json' } },
  skipped: { about: 'What does not, by place, and why.', kind: { is: 'map' } },
});

const IntegrationNode = shape('IntegrationNode', 'One thing on the other side.', contract.IntegrationNode, {
  fqn: 'Its place.',
  node_type: 'What it is.',
  secret: 'Whether it is secret.',
  name: 'Its name.',
  jmespath: 'What was taken from its content.',
  content_type: 'Media type of its content.',
  content_data: 'Its content.',
  content_size: 'Size of its content in bytes.',
  content_keys: 'Names in its content.',
  venue_id: 'Its id there.',
});

const placeInputs = { resource: head.resource, region: head.region, service: head.service };

function runs(of: 'pulls' | 'pushes', under: typeof Pull, noun: 'Pull' | 'Push') {
  return [
    listField({
      operation: `integrations_${of}_tasks_list`,
      of: Task,
      many: 'tasks',
      under,
      about: 'Its runs, newest first.',
    }),
    ...resource({
      operations: `integrations_${of}_tasks`,
      of: Task,
      one: `${noun.toLowerCase()}Task`,
      about: '',
      except: ['list'],
    }).resolvers,
    ...resource({
      operations: `integrations_${of}_tasks_steps`,
      of: TaskStep,
      one: `${noun.toLowerCase()}TaskStep`,
      many: `${noun.toLowerCase()}TaskSteps`,
      about: 'What a run did, step by step.',
    }).resolvers,
    action({
      operation: `integrations_${of}_sync_create`,
      name: `sync${noun}`,
      about: `Runs the ${noun.toLowerCase()} now; the outcome is its latest task.`,
      inputs: { dry_run: 'Whether it only says what it would do.' },
    }),
  ];
}

/** Shells: everything can be described, nothing reaches a cloud. */
export const INTEGRATION_FIELDS = [
  ...resource({
    operations: 'integrations',
    of: Integration,
    about: 'The integrations with one provider.',
  }).resolvers,
  action({
    operation: 'integrations_scan_create',
    name: 'scanIntegration',
    about: 'Looks for content on the other side.',
    inputs: placeInputs,
  }),
  ...resource({
    operations: 'integrations_pulls',
    of: Pull,
    under: Integration,
    about: 'Its pulls.',
  }).resolvers,
  ...resource({
    operations: 'integrations_pushes',
    of: Push,
    many: 'pushes',
    under: Integration,
    about: 'Its pushes.',
  }).resolvers,
  ...runs('pulls', Pull, 'Pull'),
  ...runs('pushes', Push, 'Push'),
  listField({
    operation: 'integrations_explore_list',
    of: IntegrationNode,
    many: 'exploreIntegrations',
    about: 'A look around on the other side of integrations.',
  }),
  listField({
    operation: 'environments_pushes_list',
    of: TaskStep,
    many: 'pushSteps',
    under: Environment,
    about: 'What pushes did with it.',
  }),
  listField({
    operation: 'projects_parameters_pushes_list',
    of: TaskStep,
    many: 'pushSteps',
    under: Parameter,
    about: 'What pushes did with it.',
  }),
];
