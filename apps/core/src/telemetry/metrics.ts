import { DATABASE_SECONDS_BUCKETS, type Metric } from '@strata/telemetry';

const gauge = (name: string, unit: string, description: string, labels: readonly string[] = []) =>
  ({ name, kind: 'gauge', unit, about: description, labels }) as const;
const counter = (name: string, unit: string, description: string, labels: readonly string[] = []) =>
  ({ name, kind: 'counter', unit, about: description, labels }) as const;

/** The metrics of the core, besides those of every process and of every HTTP server. */
export const CORE_METRICS = {
  statements: {
    ...{ name: 'db.client.operation.duration', kind: 'histogram', unit: 's', buckets: DATABASE_SECONDS_BUCKETS },
    about: 'Time from a statement to its response, including those of the job queue.',
    labels: ['db.system.name', 'db.operation.name', 'error.type'],
  },
  connectionWait: {
    ...{ name: 'db.client.connection.wait_time', kind: 'histogram', unit: 's', buckets: DATABASE_SECONDS_BUCKETS },
    about: 'Time that a request waited for a connection of the pool.',
  },
  connections: gauge('db.client.connection.count', '{connection}', 'Connections of the pool.', [
    'db.client.connection.state',
  ]),
  connectionsMax: gauge('db.client.connection.max', '{connection}', 'Maximum number of connections of the pool.'),
  pendingRequests: gauge('db.client.connection.pending_requests', '{request}', 'Requests that wait for a connection.'),
  reads: counter(
    'strata.reads',
    '{read}',
    'Reads that a standby may answer, by the server that answered and the reason.',
    ['strata.origin', 'strata.reason'],
  ),
  batchSize: {
    ...{ name: 'strata.write.batch.size', kind: 'histogram', unit: '{write}', buckets: [1, 2, 4, 8, 16, 32] },
    about: 'Writes in one transaction.',
  },
  writeWait: {
    ...{ name: 'strata.write.wait.duration', kind: 'histogram', unit: 's', buckets: DATABASE_SECONDS_BUCKETS },
    about: 'Time that a write waited for earlier writes of its organization.',
  },
  storedResponses: counter('strata.stored_responses', '{response}', 'Responses from memory, without reading any rows.'),
  feedLag: {
    ...{ name: 'strata.feed.lag', kind: 'histogram', unit: 's', buckets: DATABASE_SECONDS_BUCKETS },
    about: 'Age of a new event when a process with listeners reads it. Compares the clocks of PostgreSQL and the core.',
  },
  streams: gauge('strata.feed.listeners', '{connection}', 'Open event streams and long polls.'),
  signIns: counter(
    'strata.sign_ins',
    '{attempt}',
    'Attempts to sign in with a password, an identity provider or the token of a workload.',
    ['strata.result'],
  ),
  rejectedSecrets: counter(
    'strata.rejected_secrets',
    '{text}',
    'Encrypted texts that were not decrypted, because they were changed in the database.',
  ),
  expirations: counter('strata.expirations', '{value}', 'Expired values that the core has handled.', ['strata.result']),
  checkpoints: counter('strata.checkpoints', '{checkpoint}', 'Checkpoints of ledgers, by whether they were signed.', [
    'strata.result',
  ]),
  cosignatures: counter('strata.cosignatures', '{request}', 'Requests to witnesses to cosign a checkpoint.', [
    'strata.result',
  ]),
  uncheckedAge: gauge(
    'strata.checkpoint.oldest_change.age',
    's',
    'Time since the oldest change that no published checkpoint covers, in the whole installation.',
  ),
  uncosigned: gauge(
    'strata.checkpoint.uncosigned',
    '{organization}',
    'Organizations whose latest checkpoint some witness has not cosigned.',
  ),
  webhookAttempts: counter('strata.webhook.attempts', '{message}', 'Messages sent to chat channels and destinations.', [
    'strata.outcome',
    'error.type',
  ]),
  webhookJobs: gauge(
    'strata.webhook.jobs',
    '{job}',
    'Webhooks and destinations with waiting messages, in the whole installation.',
    ['strata.state'],
  ),
  webhookAge: gauge('strata.webhook.oldest_job.age', 's', 'Time since the oldest due job should have run.'),
  webhooksSuspended: gauge(
    'strata.webhook.suspended',
    '{webhook}',
    'Webhooks and destinations that wait until a person fixes them.',
  ),
  destinationsFailing: gauge('strata.destination.failing', '{destination}', 'Destinations whose messages fail now.'),
  syncs: gauge(
    'strata.integration.syncs',
    '{sync}',
    'Pulls and pushes that need attention, by the result of their latest run, in the whole installation.',
    ['strata.state'],
  ),
  outdatedValues: gauge(
    'strata.external_values.outdated',
    '{value}',
    'External values whose text may be older than their content, in the whole installation.',
  ),
  rotations: gauge('strata.rotations', '{rotation}', 'Rotations that are not idle, in the whole installation.', [
    'strata.state',
  ]),
  rotationAge: gauge(
    'strata.rotation.oldest.age',
    's',
    'Time since the oldest rotation that is not idle has begun its step.',
  ),
} as const satisfies Record<string, Metric>;
