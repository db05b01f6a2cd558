import { z } from 'zod';
import { BatchRequest, BatchResponse } from './batch.ts';
import { EventListQuery, EventPage, EventStreamQuery } from './event.ts';
import { Features } from './features.ts';
import { NEWEST_FIRST } from './list-cursor.ts';
import { noun, type Operation, operation, operations, standardOperations } from './operation.ts';
import { changesetOperations } from './operations-changesets.ts';
import { configurationOperations } from './operations-configuration.ts';
import { destinationOperations } from './operations-destinations.ts';
import { edgeOperations } from './operations-edges.ts';
import { flagOperations } from './operations-flags.ts';
import { historyOperations } from './operations-history.ts';
import { insightOperations } from './operations-insight.ts';
import { allIntegrationOperations, pushStepOperations } from './operations-integrations.ts';
import { matrixOperations } from './operations-matrix.ts';
import { peopleOperations } from './operations-people.ts';
import { preferenceOperations } from './operations-preferences.ts';
import { revertOperations } from './operations-reverts.ts';
import { rightsOperations } from './operations-rights.ts';
import { rolloutOperations } from './operations-rollouts.ts';
import { rotationOperations } from './operations-rotations.ts';
import { signInOperations } from './operations-sign-in.ts';
import { templateOperations } from './operations-templates.ts';
import { transferOperations } from './operations-transfer.ts';
import { typeOperations } from './operations-types.ts';
import { choiceParameter, textParameter } from './query.ts';
import * as webhook from './webhook.ts';

const API = '/api/v1';
const WEBHOOK = `${API}/webhooks/{id}/`;

export const WEBHOOKS = noun({
  tag: 'webhooks',
  prefix: 'webhooks',
  writes: 'Webhook',
  collection: `${API}/webhooks/`,
  singular: 'a webhook',
  plural: 'webhooks',
  addressing: { credentials: ['token'] },
  read: 'read',
  write: 'manage_webhooks',
  conditional: true,
  bodyAs: 'json',
  shapes: {
    item: webhook.Webhook,
    page: webhook.WebhookPage,
    listQuery: webhook.WebhookListQuery,
    create: webhook.WebhookCreate,
    update: webhook.WebhookUpdate,
    patch: webhook.WebhookPatch,
  },
});

const webhookAction = { method: 'post', tag: 'webhooks', requires: 'manage_webhooks', errorStatuses: [] } as const;

const TEST_WEBHOOK = operation({
  ...webhookAction,
  id: 'webhooks_test_create',
  path: `${WEBHOOK}test/`,
  summary: 'Send a test message now',
  status: 200,
  response: webhook.Delivery,
});

export const ENABLE_WEBHOOK = operation({
  ...webhookAction,
  id: 'webhooks_enable_create',
  path: `${WEBHOOK}enable/`,
  summary: 'Enable a suspended webhook',
  status: 200,
  response: webhook.Webhook,
});

const REDELIVER = operation({
  ...webhookAction,
  id: 'webhooks_deliveries_redeliver_create',
  path: `${WEBHOOK}deliveries/{delivery_pk}/redeliver/`,
  summary: 'Redeliver a message',
  status: 202,
  response: webhook.Delivery,
  errorStatuses: [409],
});

const news = operations([
  {
    id: 'events_list',
    method: 'get',
    path: `${API}/events/`,
    tag: 'events',
    summary: 'List events after a cursor, with optional long polling',
    requires: 'read',
    query: EventListQuery,
    status: 200,
    response: EventPage,
    errorStatuses: [410],
  },
  {
    id: 'events_stream',
    method: 'get',
    path: `${API}/events/stream/`,
    tag: 'events',
    summary: 'Stream events (server-sent events)',
    description:
      'Messages: `change` (data: Event), `bookmark` (data: EventBookmark; one at once, then one after every 10 seconds without an event), and `close` (data: EventStreamClose) before the server ends the stream. The id of a message is its cursor; send it as `Last-Event-ID` to resume.',
    requires: 'read',
    query: EventStreamQuery,
    status: 200,
    response: z.string(),
    produces: ['text/event-stream'],
    errorStatuses: [410],
  },
  ...standardOperations(WEBHOOKS),
  {
    id: 'webhooks_deliveries_list',
    method: 'get',
    path: `${WEBHOOK}deliveries/`,
    tag: 'webhooks',
    summary: 'List the deliveries of a webhook',
    requires: 'read',
    query: webhook.DeliveryListQuery,
    status: 200,
    response: webhook.DeliveryPage,
    sortedBy: NEWEST_FIRST,
    errorStatuses: [],
  },
  {
    id: 'webhooks_deliveries_retrieve',
    method: 'get',
    path: `${WEBHOOK}deliveries/{delivery_pk}/`,
    tag: 'webhooks',
    summary: 'Read one delivery',
    requires: 'read',
    status: 200,
    response: webhook.Delivery,
    errorStatuses: [],
  },
  TEST_WEBHOOK,
  ENABLE_WEBHOOK,
  REDELIVER,
]);

const service = operations([
  {
    id: 'batch_create',
    method: 'post',
    path: `${API}/batch/`,
    tag: 'batch',
    summary: 'Send several read requests as one',
    description:
      'Each path is read separately and has its own status. The results can have different revisions; each contains its own.',
    requires: 'read',
    body: BatchRequest,
    bodyAs: 'json',
    status: 200,
    response: BatchResponse,
    errorStatuses: [],
  },
  {
    id: 'features_retrieve',
    method: 'get',
    path: `${API}/features/`,
    tag: 'features',
    summary: 'Read the features of this installation',
    requires: 'nothing',
    status: 200,
    response: Features,
    errorStatuses: [],
  },
  {
    id: 'api_schema_retrieve',
    method: 'get',
    path: '/api/schema/',
    tag: 'api',
    summary: 'Read this OpenAPI description',
    requires: 'nothing',
    query: z.object({
      format: choiceParameter(['json', 'yaml'], 'Takes precedence over the Accept header. Default: YAML.'),
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
    errorStatuses: [],
  },
]);

const GROUPS = [
  configurationOperations,
  typeOperations,
  flagOperations,
  matrixOperations,
  insightOperations,
  templateOperations,
  changesetOperations,
  revertOperations,
  rolloutOperations,
  edgeOperations,
  historyOperations,
  transferOperations,
  allIntegrationOperations,
  pushStepOperations,
  peopleOperations,
  signInOperations,
  preferenceOperations,
  rightsOperations,
  news,
  destinationOperations,
  rotationOperations,
  service,
] as const;

export const OPERATIONS: readonly Operation[] = (GROUPS as readonly (readonly Operation[])[]).flat();

type AnyOperation = (typeof GROUPS)[number][number];

/** The operations by id, with their types. Those of integrations are left out, because their ids depend on the provider. */
export type ContractOperations = {
  readonly [O in AnyOperation as string extends O['id'] ? never : O['id']]: O;
};
