import { setTimeout as sleep } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createObservableGauge, type Telemetry } from '@strata/telemetry';
import { DataSource } from 'typeorm';
import { Listeners } from '../features/feed/listeners.ts';
import { CheckpointSigner } from '../features/history/checkpoint-signer.ts';
import { PublishedCheckpoints } from '../features/history/published-checkpoints.ts';
import { SyncStates } from '../features/integrations/runs/sync-state.ts';
import { RotationCounts } from '../features/rotations/rotation-counts.ts';
import { DeliveryQueueState } from '../features/webhooks/delivery/queue-state.ts';
import { POOL_SIZE } from '../platform/limits/pool-size.ts';
import { poolOf } from '../platform/postgres/data-source.ts';
import { CORE_METRICS } from './metrics.ts';

/** The metrics are read although the database does not respond, without those that it would have to count. */
const QUEUE_STATE_MS_MAX = 2_000;

/** Adds the metrics whose values are read from the running application. */
export function addGauges(app: NestFastifyApplication, telemetry: Telemetry): void {
  const { meter } = telemetry;
  const pool = poolOf(app.get(DataSource));
  createObservableGauge(meter, CORE_METRICS.connections, (result) => {
    result.observe(pool.idleCount, { 'db.client.connection.state': 'idle' });
    result.observe(pool.totalCount - pool.idleCount, { 'db.client.connection.state': 'used' });
  });
  createObservableGauge(meter, CORE_METRICS.connectionsMax, (result) => result.observe(POOL_SIZE));
  createObservableGauge(meter, CORE_METRICS.pendingRequests, (result) => result.observe(pool.waitingCount));
  const listeners = app.get(Listeners);
  createObservableGauge(meter, CORE_METRICS.streams, (result) => result.observe(listeners.count));
  const deliveries = app.get(DeliveryQueueState);
  const queue = sharedRead(() => deliveries.read());
  createObservableGauge(meter, CORE_METRICS.webhookJobs, async (result) => {
    const state = await queue();
    if (!state) return;
    result.observe(state.due, { 'strata.state': 'due' });
    result.observe(state.later, { 'strata.state': 'later' });
  });
  createObservableGauge(meter, CORE_METRICS.webhookAge, async (result) => {
    const state = await queue();
    if (state) result.observe(state.oldestSeconds);
  });
  createObservableGauge(meter, CORE_METRICS.webhooksSuspended, async (result) => {
    const state = await queue();
    if (state) result.observe(state.suspended);
  });
  createObservableGauge(meter, CORE_METRICS.destinationsFailing, async (result) => {
    const state = await queue();
    if (state) result.observe(state.failing);
  });
  const syncStates = app.get(SyncStates);
  const readSyncStates = sharedRead(() => syncStates.read());
  createObservableGauge(meter, CORE_METRICS.syncs, async (result) => {
    const state = await readSyncStates();
    if (!state) return;
    for (const name of ['failing', 'drifted', 'undecided'] as const)
      result.observe(state[name], { 'strata.state': name });
  });
  createObservableGauge(meter, CORE_METRICS.outdatedValues, async (result) => {
    const state = await readSyncStates();
    if (state) result.observe(state.outdatedValues);
  });
  addRotationGauges(app, telemetry);
  addCheckpointGauges(app, telemetry);
}

function addCheckpointGauges(app: NestFastifyApplication, { meter }: Telemetry): void {
  if (!app.get(CheckpointSigner).isEnabled) return;
  const published = app.get(PublishedCheckpoints);
  const readState = sharedRead(() => published.state());
  createObservableGauge(meter, CORE_METRICS.uncheckedAge, async (result) => {
    const state = await readState();
    if (state) result.observe(state.oldestSeconds);
  });
  createObservableGauge(meter, CORE_METRICS.uncosigned, async (result) => {
    const state = await readState();
    if (state) result.observe(state.uncosigned);
  });
}

function addRotationGauges(app: NestFastifyApplication, { meter }: Telemetry): void {
  const rotationCounts = app.get(RotationCounts);
  const readRotationCounts = sharedRead(() => rotationCounts.read());
  createObservableGauge(meter, CORE_METRICS.rotations, async (result) => {
    const counts = await readRotationCounts();
    if (!counts) return;
    result.observe(counts.running, { 'strata.state': 'running' });
    result.observe(counts.waiting, { 'strata.state': 'waiting' });
    result.observe(counts.undecided, { 'strata.state': 'needs_decision' });
    result.observe(counts.stopped, { 'strata.state': 'stopped' });
  });
  createObservableGauge(meter, CORE_METRICS.rotationAge, async (result) => {
    const counts = await readRotationCounts();
    if (counts) result.observe(counts.oldestSeconds);
  });
}

/** Returns a function that reads the state once for all metrics that are read at the same time; null on failure. */
function sharedRead<State>(read: () => Promise<State>): () => Promise<State | null> {
  let currentRead: Promise<State | null> | null = null;
  return () => {
    currentRead ??= Promise.race([read().catch(() => null), sleep(QUEUE_STATE_MS_MAX, null, { ref: false })]).finally(
      () => {
        currentRead = null;
      },
    );
    return currentRead;
  };
}
