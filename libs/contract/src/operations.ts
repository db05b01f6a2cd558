import { z } from 'zod';
import { AuthToken, AuthTokenRequest } from './auth-token.ts';
import { Effective, EffectiveQuery } from './effective.ts';
import * as environment from './environment.ts';
import { EventListQuery, EventPage, EventStreamQuery } from './event.ts';
import { Features } from './features.ts';
import * as membership from './membership.ts';
import { type Operation, operationsOf } from './operation.ts';
import * as organization from './organization.ts';
import * as parameter from './parameter.ts';
import { ParameterType, ParameterTypeListQuery, ParameterTypePage } from './parameter-type.ts';
import * as project from './project.ts';
import { choiceParameter, textParameter } from './query.ts';
import * as account from './service-account.ts';
import { User, UserListQuery, UserPage } from './user.ts';
import * as value from './value.ts';
import * as webhook from './webhook.ts';

const API = '/api/v1';
const PARAMETERS = `${API}/projects/{project_pk}/parameters/`;
const WEBHOOK = `${API}/webhooks/{id}/`;

const configuration: readonly Operation[] = [
  ...operationsOf({
    tag: 'environments',
    prefix: 'environments',
    collection: `${API}/environments/`,
    singular: 'an environment',
    plural: 'environments',
    read: 'read',
    write: 'write_content',
    conditional: true,
    refusals: { delete: [409] },
    shapes: {
      item: environment.Environment,
      page: environment.EnvironmentPage,
      listQuery: environment.EnvironmentListQuery,
      create: environment.EnvironmentCreate,
      update: environment.EnvironmentUpdate,
      patch: environment.EnvironmentPatch,
    },
  }),
  ...operationsOf({
    tag: 'projects',
    prefix: 'projects',
    collection: `${API}/projects/`,
    singular: 'a project',
    plural: 'projects',
    read: 'read',
    write: 'write_content',
    conditional: true,
    refusals: { delete: [409] },
    shapes: {
      item: project.Project,
      page: project.ProjectPage,
      listQuery: project.ProjectListQuery,
      create: project.ProjectCreate,
      update: project.ProjectUpdate,
      patch: project.ProjectPatch,
    },
  }),
  {
    id: 'projects_effective_retrieve',
    method: 'get',
    path: `${API}/projects/{id}/effective/`,
    tag: 'projects',
    summary: 'Read the effective configuration of a project in one environment',
    description:
      'What a program needs: every visible name with its text, environment before project. The strong ETag covers the body; ask with `If-None-Match` and get 304 while nothing has changed.',
    requires: 'read',
    query: EffectiveQuery,
    status: 200,
    response: Effective,
    refusals: [],
    conditional: true,
  },
  ...operationsOf({
    tag: 'projects',
    prefix: 'projects_parameters',
    collection: PARAMETERS,
    singular: 'a parameter',
    plural: 'the parameters that a project shows, with their effective values',
    read: 'read',
    write: 'write_content',
    conditional: true,
    refusals: { create: [404], delete: [409] },
    shapes: {
      item: parameter.Parameter,
      page: parameter.ParameterPage,
      listQuery: parameter.ParameterListQuery,
      itemQuery: parameter.ParameterQuery,
      create: parameter.ParameterCreate,
      update: parameter.ParameterUpdate,
      patch: parameter.ParameterPatch,
    },
  }).map((operation) =>
    operation.id === 'projects_parameters_list' ? { ...operation, conditional: true } : operation,
  ),
  ...operationsOf({
    tag: 'projects',
    prefix: 'projects_parameters_values',
    collection: `${PARAMETERS}{parameter_pk}/values/`,
    singular: 'a value',
    plural: 'the values that a parameter itself has',
    read: 'read',
    write: 'write_content',
    conditional: true,
    shapes: {
      item: value.Value,
      page: value.ValuePage,
      listQuery: value.ValueListQuery,
      itemQuery: value.ValueQuery,
      writeQuery: value.ValueWriteQuery,
      create: value.ValueCreate,
      update: value.ValueUpdate,
      patch: value.ValuePatch,
    },
  }),
  ...operationsOf({
    tag: 'types',
    prefix: 'types',
    collection: `${API}/types/`,
    singular: 'a type',
    plural: 'types of parameters',
    read: 'read',
    write: 'write_content',
    deletable: false,
    shapes: { item: ParameterType, page: ParameterTypePage, listQuery: ParameterTypeListQuery },
  }),
];

const people: readonly Operation[] = [
  {
    id: 'auth_token_create',
    method: 'post',
    path: `${API}/auth/token/`,
    tag: 'auth',
    summary: 'Sign in, or exchange a token for one of another organization',
    requires: 'nothing',
    body: AuthTokenRequest,
    status: 200,
    response: AuthToken,
    refusals: [429],
  },
  {
    id: 'users_current_retrieve',
    method: 'get',
    path: `${API}/users/current/`,
    tag: 'users',
    summary: 'Read the caller',
    requires: 'read',
    status: 200,
    response: User,
    refusals: [],
  },
  ...operationsOf({
    tag: 'users',
    prefix: 'users',
    collection: `${API}/users/`,
    singular: 'a user',
    plural: 'people and service accounts',
    read: 'read',
    write: 'read',
    shapes: { item: User, page: UserPage, listQuery: UserListQuery },
  }),
  ...operationsOf({
    tag: 'memberships',
    prefix: 'memberships',
    collection: `${API}/memberships/`,
    singular: 'a membership',
    plural: 'memberships',
    read: 'read',
    write: 'change_membership',
    shapes: {
      item: membership.Membership,
      page: membership.MembershipPage,
      listQuery: membership.MembershipListQuery,
      create: membership.MembershipCreate,
      update: membership.MembershipUpdate,
      patch: membership.MembershipPatch,
    },
    // Everybody may leave.
  }).map((operation) => (operation.method === 'delete' ? { ...operation, requires: 'read' as const } : operation)),
  ...operationsOf({
    tag: 'serviceaccounts',
    prefix: 'serviceaccounts',
    collection: `${API}/serviceaccounts/`,
    singular: 'a service account',
    plural: 'service accounts',
    read: 'read',
    write: 'create_service_account',
    shapes: {
      item: account.ServiceAccount,
      page: account.ServiceAccountPage,
      listQuery: account.ServiceAccountListQuery,
      create: account.ServiceAccountCreate,
      created: account.ServiceAccountCreated,
      update: account.ServiceAccountUpdate,
      patch: account.ServiceAccountUpdate,
    },
  }),
  {
    id: 'serviceaccounts_rekey_create',
    method: 'post',
    path: `${API}/serviceaccounts/{id}/rekey/`,
    tag: 'serviceaccounts',
    summary: 'Give a service account a new key, shown once',
    requires: 'create_service_account',
    body: account.ServiceAccountRekey,
    bodyOptional: true,
    status: 200,
    response: account.ServiceAccountCreated,
    refusals: [],
  },
  ...operationsOf({
    tag: 'organizations',
    prefix: 'organizations',
    collection: `${API}/organizations/`,
    singular: 'an organization',
    plural: 'the organizations of the caller',
    read: 'read',
    // Its OWNER changes it; but anybody may make one.
    write: 'read',
    deletable: false,
    shapes: {
      item: organization.Organization,
      page: organization.OrganizationPage,
      listQuery: organization.OrganizationListQuery,
      create: organization.OrganizationCreate,
      update: organization.OrganizationUpdate,
      patch: organization.OrganizationPatch,
    },
  }),
];

const news: readonly Operation[] = [
  {
    id: 'events_list',
    method: 'get',
    path: `${API}/events/`,
    tag: 'events',
    summary: 'List changes after a position, waiting for them if asked to',
    requires: 'read',
    query: EventListQuery,
    status: 200,
    response: EventPage,
    refusals: [410],
  },
  {
    id: 'events_stream',
    method: 'get',
    path: `${API}/events/stream/`,
    tag: 'events',
    summary: 'Follow changes live (server-sent events)',
    description:
      'Messages: `change` (data: Event), `bookmark` (data: EventBookmark; first at once, then every 10 seconds of silence), `close` (data: EventStreamClose) before the server ends the stream. The id of a message is its cursor; `Last-Event-ID` resumes after it.',
    requires: 'read',
    query: EventStreamQuery,
    status: 200,
    response: z.string(),
    produces: ['text/event-stream'],
    refusals: [410],
  },
  ...operationsOf({
    tag: 'webhooks',
    prefix: 'webhooks',
    collection: `${API}/webhooks/`,
    singular: 'a webhook',
    plural: 'webhooks',
    read: 'read',
    write: 'manage_webhooks',
    bodyAs: 'json',
    shapes: {
      item: webhook.Webhook,
      page: webhook.WebhookPage,
      listQuery: webhook.WebhookListQuery,
      create: webhook.WebhookCreate,
      update: webhook.WebhookUpdate,
      patch: webhook.WebhookPatch,
    },
  }),
  {
    id: 'webhooks_deliveries_list',
    method: 'get',
    path: `${WEBHOOK}deliveries/`,
    tag: 'webhooks',
    summary: 'List the messages of a webhook and what became of them',
    requires: 'read',
    query: webhook.DeliveryListQuery,
    status: 200,
    response: webhook.DeliveryPage,
    refusals: [],
  },
  ...(['test', 'enable', 'deliveries/{delivery_pk}/redeliver'] as const).map(webhookAction),
];

function webhookAction(action: 'test' | 'enable' | 'deliveries/{delivery_pk}/redeliver'): Operation {
  const common = {
    method: 'post',
    path: `${WEBHOOK}${action}/`,
    tag: 'webhooks',
    requires: 'manage_webhooks',
  } as const;
  const said = { ...common, refusals: [] };
  if (action === 'enable') {
    const summary = 'Let a suspended webhook send again';
    return { ...said, id: 'webhooks_enable_create', summary, status: 200, response: webhook.Webhook };
  }
  const response = webhook.Delivery;
  return action === 'test'
    ? { ...said, id: 'webhooks_test_create', summary: 'Send a test message now', status: 200, response }
    : { ...said, id: 'webhooks_deliveries_redeliver_create', summary: 'Send a message again', status: 202, response };
}

const service: readonly Operation[] = [
  {
    id: 'features_retrieve',
    method: 'get',
    path: `${API}/features/`,
    tag: 'features',
    summary: 'Read what this installation can do',
    requires: 'nothing',
    status: 200,
    response: Features,
    refusals: [],
  },
  {
    id: 'api_schema_retrieve',
    method: 'get',
    path: '/api/schema/',
    tag: 'api',
    summary: 'Read this description',
    requires: 'nothing',
    query: z.object({
      format: choiceParameter(['json', 'yaml'], 'Wins over the Accept header; YAML when neither says.'),
      lang: textParameter('Ignored.'),
    }),
    status: 200,
    response: z.record(z.string(), z.unknown()),
    produces: [
      'application/vnd.oai.openapi',
      'application/yaml',
      'application/vnd.oai.openapi+json',
      'application/json',
    ],
    refusals: [],
  },
];

/** Every route of the API. */
export const OPERATIONS: readonly Operation[] = [...configuration, ...people, ...news, ...service];
