import { type Metric, REQUEST_SECONDS_BUCKETS } from '@strata/telemetry';

const duration = { kind: 'histogram', unit: 's', buckets: REQUEST_SECONDS_BUCKETS } as const;

/** The metrics of the gateway, besides those of every process and of every HTTP server. */
export const GATEWAY_METRICS = {
  coreRequests: {
    ...{ name: 'http.client.request.duration', ...duration, about: 'Time of a request to the core.' },
    labels: ['http.request.method', 'http.response.status_code', 'error.type'],
  },
  socketOperations: {
    ...{ name: 'strata.graphql.socket.operation.duration', ...duration },
    about: 'Time of a query or a mutation over a websocket.',
    labels: ['graphql.operation.type'],
  },
  storedResponses: {
    ...{ name: 'strata.graphql.stored_responses', kind: 'counter', unit: '{response}' },
    about: 'GraphQL responses from memory, which the core had validated.',
  },
  errors: {
    ...{ name: 'strata.graphql.errors', kind: 'counter', unit: '{error}', labels: ['error.type'] },
    about: 'Errors in GraphQL responses, by `extensions.code`.',
  },
  rejectedSockets: {
    ...{ name: 'strata.sockets.refused', kind: 'counter', unit: '{socket}', labels: ['http.response.status_code'] },
    about: 'Websockets that the gateway did not open.',
  },
  sockets: { name: 'strata.sockets', kind: 'gauge', unit: '{socket}', about: 'Open websockets.' },
  subscriptions: {
    ...{ name: 'strata.subscriptions', kind: 'gauge', unit: '{subscription}' },
    about: 'Running subscriptions.',
  },
  streams: {
    ...{ name: 'strata.core.streams', kind: 'gauge', unit: '{stream}' },
    about:
      'Open streams to the core: one for each credential with subscriptions to changes, and one for each subscription to effective values.',
  },
} as const satisfies Record<string, Metric>;
