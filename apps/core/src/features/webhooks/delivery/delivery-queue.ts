import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { CHANGE_ACTIONS, type ChangeAction, nonContractEventType, type OrganizationId } from '@strata/domain';
import { runTaskList, type WorkerPool } from 'graphile-worker';
import { DataSource, type EntityManager } from 'typeorm';
import type { Env } from '../../../platform/env.ts';
import type { Change } from '../../../platform/ledger/change.ts';
import { UnitOfWork } from '../../../platform/ledger/unit-of-work.ts';
import { coreObserver } from '../../../platform/observer.ts';
import { poolOf, timeBound } from '../../../platform/postgres/data-source.ts';
import { Database } from '../../../platform/postgres/database.ts';
import { createRetryingPool, QUIET_QUEUE_LOGGER, queuePool } from '../../../platform/postgres/job-queue.ts';
import { JobTasks, runConfined } from '../../../platform/postgres/job-tasks.ts';
import type { Statement } from '../../../platform/postgres/prepared-client.ts';
import { Retry } from '../../../platform/postgres/retry.ts';
import { APPLICATION_ROLE, openSession } from '../../../platform/postgres/session.ts';
import { ENV } from '../../../platform/tokens.ts';
import { Deliverer } from './deliverer.ts';
import { DeliverySettings } from './delivery-settings.ts';
import { addJob, DELIVER, type DeliverJob, type TargetTable } from './jobs.ts';
import { SuspensionNotices } from './suspension-notices.ts';

/** Webhooks support only the events of the contract ($2), destinations all of them ($4). */
const ENQUEUE_MATCHING = `
${enqueueSubscribers('webhook', '$2')}
union all
${enqueueSubscribers('destination', '$4')}`;

function enqueueSubscribers(table: TargetTable, types: string): string {
  return `select ${addJob(table, 'preserve_run_at', { trace: '$3::text' })} from ${table} target
 where target.organization_id = $1 and target.state = 'active' and target.event_types && ${types}::text[]`;
}

/** Creates jobs for rows that a crashed worker left, and for idle ones whose cursor must advance. */
const sweep = (table: TargetTable, isWaiting = 'false'): string => `
select ${addJob(table, 'replace')} from ${table} target join organization_head head on head.organization_id = target.organization_id
 where target.state = 'active' and target.next_attempt_at <= clock_timestamp()
   and (target.lease_until is null or target.lease_until < clock_timestamp())
   and (head.revision > target.cursor_revision or target.cursor_ordinal = 0 or target.lease_token is not null or ${isWaiting})
 limit 1000`;

const SWEEPS = [
  sweep('webhook'),
  sweep(
    'destination',
    `exists (select from delivery where delivery.organization_id = target.organization_id and destination_id = target.id
                                      and status in ('queued', 'retrying'))`,
  ),
];

/** Deletes old records. Exported for the test. */
export const CLEAN_UP = `
with old as (delete from delivery where created_at < clock_timestamp() - interval '30 days'
              and not (status in ('queued', 'sending', 'retrying')
                       and (kind = 'change' or kind <> 'test' and destination_id is not null))),
     reminded as (delete from expiry_reminder where expires_at < clock_timestamp() - interval '1 day')
delete from chat_lane where next_allowed_at < clock_timestamp() - interval '1 day'`;

const CLEANUP_INTERVAL_MS = 3_600_000;
const RESTART_MS = 1_000;
const POOL_SIZE = 4;
/**
 * Without batches, the library does not wait for the response when it marks a job as done, and an error at that moment
 * ends the whole process. With batches, even without a delay, an error only ends the workers, which are then restarted.
 */
const BATCHED = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } };

/** Creates jobs in the transaction of a change, and runs the workers of this process. */
@Injectable()
export class DeliveryQueue implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('webhooks');
  private readonly stopping = new AbortController();
  private readonly timers: NodeJS.Timeout[] = [];
  private running: Promise<void> | null = null;
  private readonly workers = new Set<WorkerPool>();
  private notifying: Promise<void> = Promise.resolve();

  constructor(
    private readonly dataSource: DataSource,
    private readonly database: Database,
    private readonly deliverer: Deliverer,
    private readonly retry: Retry,
    private readonly settings: DeliverySettings,
    private readonly notices: SuspensionNotices,
    private readonly jobTasks: JobTasks,
    @Inject(ENV) private readonly env: Env,
    unitOfWork: UnitOfWork,
  ) {
    unitOfWork.setOutbox(enqueueMatching);
  }

  onApplicationBootstrap(): void {
    this.running = this.keepRunning();
    this.timers.push(
      setInterval(() => {
        for (const statement of SWEEPS) this.quietly(statement);
        this.notifying = this.notices.sendDue();
      }, this.settings.sweepMs).unref(),
      setInterval(() => this.quietly(CLEAN_UP), CLEANUP_INTERVAL_MS).unref(),
    );
  }

  /** Finishes the messages that are being sent, and leaves waiting ones to other processes. */
  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    this.retry.end();
    for (const timer of this.timers) clearInterval(timer);
    await Promise.all([...this.workers].map(stop));
    await this.running;
    await this.notifying;
  }

  /** Creates a job for this webhook or destination that runs now, even if earlier attempts failed. */
  async enqueueNow(em: EntityManager, table: TargetTable, organizationId: OrganizationId, id: string): Promise<void> {
    await em.query(
      `select ${addJob(table, 'replace')} from ${table} target where target.organization_id = $1 and target.id = $2`,
      [organizationId, id],
    );
  }

  /** A run of a push can take minutes, so runs have workers of their own and never delay messages. */
  private async keepRunning(): Promise<void> {
    const { signal } = this.stopping;
    const { statementTimeout, responseMsMax } = timeBound(this.env.STRATA_DATABASE_TIMEOUT_SECONDS);
    const pgPool = queuePool({
      connectionString: this.database.url,
      max: POOL_SIZE,
      connectionTimeoutMillis: 2_000,
      monitor: this.database.monitor,
      responseMsMax,
      onConnect: (client) => openSession(client, APPLICATION_ROLE, { statement_timeout: statementTimeout }),
    });
    const task = (table: TargetTable) => (job: unknown) => this.deliver(table, job as DeliverJob, signal);
    const deliveries = { [DELIVER.webhook]: task('webhook'), [DELIVER.destination]: task('destination') };
    const { concurrency, otherConcurrency, pollMs: pollInterval } = this.settings;
    const options = { preset: BATCHED, pollInterval, noHandleSignals: true, logger: QUIET_QUEUE_LOGGER };
    const retrying = createRetryingPool(pgPool, this.retry);
    await Promise.all([
      this.keepRestarting(() => runTaskList({ ...options, concurrency }, deliveries, retrying)),
      this.keepRestarting(() =>
        runTaskList({ ...options, concurrency: otherConcurrency }, this.jobTasks.all(signal), retrying),
      ),
    ]);
    await pgPool.end();
  }

  /** Restarts the workers whenever they end. The library handles an unavailable database itself. */
  private async keepRestarting(start: () => WorkerPool): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      let workers: WorkerPool | null = null;
      try {
        workers = start();
        this.workers.add(workers);
        await workers.promise;
      } catch (error) {
        this.logger.warn(`the queue stopped and is started again: ${(error as { code?: string }).code ?? 'no code'}`);
      }
      if (workers !== null) {
        await stop(workers);
        this.workers.delete(workers);
      }
      if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, RESTART_MS).unref());
    }
  }

  private deliver(table: TargetTable, job: DeliverJob, signal: AbortSignal): Promise<void> {
    const work = () => runConfined(job, () => this.deliverer.drain(table, job, signal));
    return coreObserver ? coreObserver.delivery(job.traceparent ?? null, work) : work();
  }

  private quietly(statement: string): void {
    // The database may be unavailable. The next interval tries again.
    poolOf(this.dataSource)
      .query(statement)
      .catch(() => undefined);
  }
}

const stop = async (workers: WorkerPool): Promise<void> => workers.gracefulShutdown()?.catch(() => undefined);

/** Returns the statement that creates jobs for the webhooks and destinations that subscribe to the changes. */
function enqueueMatching(organizationId: OrganizationId, changes: readonly Change[]): Statement | null {
  const types = distinct(changes.map(({ eventType }) => eventType));
  const allTypes = distinct(changes.map((change) => change.eventType ?? furtherType(change)));
  if (allTypes.length === 0) return null;
  return { text: ENQUEUE_MATCHING, values: [organizationId, types, coreObserver?.traceContext() ?? null, allTypes] };
}

const distinct = (types: readonly (string | null)[]): string[] => [...new Set(types.filter((type) => type !== null))];

function furtherType({ objectType, action }: Change): string | null {
  return isChangeAction(action) ? nonContractEventType(objectType, action) : null;
}

const isChangeAction = (action: string): action is ChangeAction => CHANGE_ACTIONS.includes(action as ChangeAction);
