import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Failure } from '@strata/domain';
import { FAILURES_MAX, findProvider, ProviderError, retryDelay, type Store } from '@strata/providers';
import { JobTasks } from '../../../platform/postgres/job-tasks.ts';
import { ProviderSetup } from '../../external/provider-environment.ts';
import { PushTooLarge } from './desired-values.ts';
import { PatternPullRuns } from './pattern-pull.ts';
import { PullRuns } from './pull-run.ts';
import { toRunError } from './push-outcome.ts';
import { PushRuns } from './push-run.ts';
import { RunLease } from './run-lease.ts';
import { describeRunProblem } from './run-problem.ts';
import { RunSettings } from './run-settings.ts';
import { type ClaimedTask, PULL_CHANGED, RunStore, type SyncOutcome } from './run-store.ts';
import { SYNC, type SyncJob } from './sync-jobs.ts';
import { LeaseLost } from './sync-keys.ts';

const UNEXPECTED = {
  code: 'internal_error',
  detail: 'The run failed unexpectedly. The log of the core has the reason, and Strata tries again.',
};
const TOO_MANY_FAILURES = {
  code: 'internal_error',
  detail: `The run was started ${FAILURES_MAX} times and did not end. It may be too large: split it.`,
};
const TEMPORARY = { kind: 'retryable', retryAfterSeconds: null } as const;

/** Runs the tasks of integrations, one at a time per integration across all processes. */
@Injectable()
export class RunQueue implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('integrations');
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly store: RunStore,
    private readonly pushes: PushRuns,
    private readonly pulls: PullRuns,
    private readonly patternPulls: PatternPullRuns,
    private readonly setup: ProviderSetup,
    private readonly settings: RunSettings,
    tasks: JobTasks,
  ) {
    tasks.add(SYNC, (job, signal) => this.drain(job as SyncJob, signal));
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      // The database may be unavailable. The next interval tries again.
      this.store.sweep().catch(() => undefined);
    }, this.settings.sweepMs).unref();
  }

  onModuleDestroy(): void {
    if (this.timer) clearInterval(this.timer);
  }

  /** Runs the due tasks of an integration in the order of their creation. */
  private async drain(job: SyncJob, signal: AbortSignal): Promise<void> {
    const lease = randomUUID();
    if (!(await this.store.claim(job, lease))) return;
    try {
      for (;;) {
        const task = signal.aborted ? null : await this.store.take(job, lease);
        if (task === null) return;
        await this.store.complete(task, await this.scaled(task));
      }
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
    } finally {
      await this.store.release(job, lease);
    }
  }

  private async scaled(task: ClaimedTask): Promise<SyncOutcome> {
    const { error, retryInMs } = await this.runTask(task);
    return { error, retryInMs: retryInMs === null ? null : retryInMs * this.settings.retryScale };
  }

  private async runTask(task: ClaimedTask): Promise<SyncOutcome> {
    if (task.isOutdated) return { error: PULL_CHANGED, retryInMs: null };
    const { region, service, direction, mode } = task.sync;
    const isMapped = direction === 'pull' && mode === 'mapped';
    // The integration may have changed since the task was queued.
    // A mapped pull stores the problem with its values.
    const problem = isMapped
      ? null
      : describeRunProblem({ ...task, ...task.sync }, task.dryRun, this.setup.environment);
    if (problem !== null) return { error: problem, retryInMs: null };
    if (task.failures >= FAILURES_MAX) return { error: TOO_MANY_FAILURES, retryInMs: null };
    let store: Store | null = null;
    const lease = new RunLease(() => this.store.renew(task), this.settings.leaseMs);
    const renewal = setInterval(() => void lease.renew().catch(() => undefined), this.settings.leaseMs / 4);
    try {
      await lease.renew();
      const provider = findProvider(task.provider);
      if (provider === null) throw new Error(`No provider is registered for ${task.provider}.`);
      const tenant = await this.setup.tenant(task.organizationId);
      if (isMapped) return await this.pulls.run(task, lease);
      if (direction === 'pull') return await this.patternPulls.run(task, lease);
      store = await provider.open(task.settings, this.setup.fencedBy(lease), { region, service }, tenant);
      return await this.pushes.run(task, store, lease);
    } catch (error) {
      if (error instanceof ProviderError)
        return { error: toRunError(error), retryInMs: retryDelay(error, task.failures + 1, Math.random) };
      if (error instanceof Failure) {
        const isTemporary = error.kind === 'unavailable';
        const retryInMs = isTemporary ? retryDelay(TEMPORARY, task.failures + 1, Math.random) : null;
        return { error: { code: error.code, detail: error.message }, retryInMs };
      }
      if (error instanceof PushTooLarge) return { error: error.reason, retryInMs: null };
      if (error instanceof LeaseLost) throw error;
      // The message is not logged, because it could contain a value.
      this.logger.warn(`a run failed: ${(error as { code?: string }).code ?? (error as Error).name}`);
      return { error: UNEXPECTED, retryInMs: retryDelay(TEMPORARY, task.failures + 1, Math.random) };
    } finally {
      clearInterval(renewal);
      lease.close();
      store?.close();
    }
  }
}
