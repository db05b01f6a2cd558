import * as destination from './destination.ts';
import { NEWEST_FIRST } from './list-cursor.ts';
import { noun, operation, operations, standardOperations } from './operation.ts';

const COLLECTION = '/api/v1/destinations/';
const ITEM = `${COLLECTION}{id}/`;
const { replayMessages } = destination.DESTINATION_LIMITS;

export const DESTINATIONS = noun({
  tag: 'destinations',
  prefix: 'destinations',
  collection: COLLECTION,
  singular: 'a destination',
  plural: 'destinations',
  addressing: {
    links: { projects: ['projects'], environments: ['environments'] },
    credentials: ['address'],
  },
  read: 'read',
  write: 'manage_webhooks',
  conditional: true,
  bodyAs: 'json',
  // The response contains the new secret only once. A repeated request does not return it.
  errorStatuses: { create: [409] },
  shapes: {
    item: destination.Destination,
    page: destination.DestinationPage,
    listQuery: destination.DestinationListQuery,
    create: destination.DestinationCreate,
    created: destination.DestinationCreated,
    update: destination.DestinationUpdate,
    patch: destination.DestinationPatch,
  },
});

const action = { method: 'post', tag: 'destinations', requires: 'manage_webhooks', bodyAs: 'json' } as const;

export const ENABLE_DESTINATION = operation({
  ...action,
  id: 'destinations_enable_create',
  path: `${ITEM}enable/`,
  summary: 'Enable a suspended destination',
  description: 'Its waiting messages are sent.',
  status: 200,
  response: destination.Destination,
  errorStatuses: [],
});

export const ROTATE_DESTINATION_SECRET = operation({
  ...action,
  id: 'destinations_rotate_secret_create',
  path: `${ITEM}rotate-secret/`,
  summary: 'Replace the secret or the key that signs messages',
  description: 'Until the overlap ends, each message has a signature of the new and of the previous secret.',
  body: destination.SecretRotation,
  status: 200,
  response: destination.DestinationCreated,
  errorStatuses: [409],
});

const TEST_DESTINATION = operation({
  ...action,
  id: 'destinations_test_create',
  path: `${ITEM}test/`,
  summary: 'Send a test message to a destination now',
  status: 200,
  response: destination.DestinationDelivery,
  errorStatuses: [],
});

export const REPLAY_EVENTS = operation({
  ...action,
  id: 'destinations_replay_create',
  path: `${ITEM}replay/`,
  summary: 'Send the events of a range of revisions again',
  description: `Sends the events that the filter of the destination selects now, in new messages and in order. At most ${replayMessages} messages; a longer range returns 400 \`replay_too_long\`.`,
  body: destination.ReplayRequest,
  status: 202,
  response: destination.ReplayResult,
  errorStatuses: [409],
});

const REDELIVER_TO_DESTINATION = operation({
  ...action,
  id: 'destinations_deliveries_redeliver_create',
  path: `${ITEM}deliveries/{delivery_pk}/redeliver/`,
  summary: 'Send a message to a destination again',
  description:
    'A message that waits for another attempt is sent at once. Any other message is queued under the same message id.',
  status: 202,
  response: destination.DestinationDelivery,
  errorStatuses: [409],
});

export const destinationOperations = operations([
  ...standardOperations(DESTINATIONS),
  {
    id: 'destinations_deliveries_list',
    method: 'get',
    path: `${ITEM}deliveries/`,
    tag: 'destinations',
    summary: 'List the deliveries of a destination',
    requires: 'read',
    query: destination.DestinationDeliveryListQuery,
    status: 200,
    response: destination.DestinationDeliveryPage,
    sortedBy: NEWEST_FIRST,
    errorStatuses: [],
  },
  {
    id: 'destinations_deliveries_retrieve',
    method: 'get',
    path: `${ITEM}deliveries/{delivery_pk}/`,
    tag: 'destinations',
    summary: 'Read one delivery of a destination',
    requires: 'read',
    status: 200,
    response: destination.DestinationDelivery,
    errorStatuses: [],
  },
  TEST_DESTINATION,
  ENABLE_DESTINATION,
  ROTATE_DESTINATION_SECRET,
  REPLAY_EVENTS,
  REDELIVER_TO_DESTINATION,
]);
