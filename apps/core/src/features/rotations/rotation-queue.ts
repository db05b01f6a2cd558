import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Failure } from '@strata/domain';
import { FAILURES_MAX, findRotator, ProviderError, type RotatorSession, retryDelay } from '@strata/providers';
import type { Env } from '../../platform/env.ts';
import { JobTasks } from '../../platform/postgres/job-tasks.ts';
import { ENV } from '../../platform/tokens.ts';
import { Vault } from '../../platform/vault/vault.ts';
import { ProviderSetup } from '../external/provider-environment.ts';
import { RunLease } from '../integrations/runs/run-lease.ts';
import { RunSettings } from '../integrations/runs/run-settings.ts';
import { LeaseLost } from '../integrations/runs/sync-keys.ts';
import { RotationInstances } from './rotation-instances.ts';
import { CREDENTIAL_COLUMN, fromHex, type Reason, type RotationRow } from './rotation-row.ts';
import { RotationSteps } from './rotation-steps.ts';
import { ROTATE, type RotationJob, RotationStore } from './rotation-store.ts';

/** The kinds of failures of a write that a person must resolve. */
const REJECTIONS: ReadonlySet<Failure['kind']> = new Set(['invalid', 'unprocessable', 'conflict', 'not_found']);
const TEMPORARY = { kind: 'retryable', retryAfterSeconds: null } as const;
const UNEXPECTED: Reason = {
  code: 'internal_error',
  detail: 'The step failed unexpectedly. The log of the core has the reason, and Strata tries again.',
};

/** Continues rotations, each in one process at a time. */
@Injectable()
export class RotationQueue implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('rotations');
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly store: RotationStore,
    private readonly steps: RotationSteps,
    private readonly instances: RotationInstances,
    private readonly vault: Vault,
    private readonly setup: ProviderSetup,
    private readonly settings: RunSettings,
    @Inject(ENV) private readonly env: Env,
    tasks: JobTasks,
  ) {
    tasks.add(ROTATE, (job, signal) => this.continue(job as RotationJob, signal));
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.instances.watchReports();
    this.timer = setInterval(() => {
      const sweep = async () => {
        await this.store.sweep();
        await this.instances.watchReports();
      };
      // The database may be unavailable. The next interval tries again.
      sweep().catch(() => undefined);
    }, this.settings.sweepMs).unref();
  }

  onModuleDestroy(): void {
    if (this.timer) clearInterval(this.timer);
  }

  /** Does the steps of a rotation until it waits. */
  private async continue(job: RotationJob, signal: AbortSignal): Promise<void> {
    const token = randomUUID();
    const claimed = await this.store.claim(job, token);
    if (claimed === null) return;
    const lease = new RunLease(() => this.store.renew(job, token), this.settings.leaseMs);
    const renewal = setInterval(() => void lease.renew().catch(() => undefined), this.settings.leaseMs / 4);
    let session: RotatorSession | null = null;
    try {
      await lease.renew();
      session = await this.attempt(claimed, () => this.open(claimed, lease));
      if (session !== null) await this.run(claimed, session, lease, signal);
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
    } finally {
      clearInterval(renewal);
      lease.close();
      await session?.close();
      await this.store.release(job, token);
    }
  }

  private async run(
    claimed: RotationRow,
    session: RotatorSession,
    lease: RunLease,
    signal: AbortSignal,
  ): Promise<void> {
    let row: RotationRow | null = claimed;
    do {
      if (!lease.isOpen()) throw new LeaseLost();
      const current: RotationRow = row;
      row = await this.attempt(current, () => this.steps.next(current, session));
    } while (row !== null && !signal.aborted && (row.stage !== 'idle' || isDue(row)));
  }

  /** Stores the failure of a step. Returns null then. */
  private async attempt<T>(row: RotationRow, work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      return this.fail(row, error);
    }
  }

  private async fail(row: RotationRow, error: unknown): Promise<null> {
    const failures = row.failures + 1;
    if (error instanceof ProviderError) {
      const ms = retryDelay(error, failures, Math.random);
      if (ms === null) return this.steps.stop(row, error);
      return this.steps.wait(row, error, ms * this.settings.retryScale, { failures });
    }
    if (error instanceof Failure && REJECTIONS.has(error.kind))
      return this.steps.stop(row, { code: error.code, detail: error.message });
    // The message is not logged, because it could contain a value.
    this.logger.warn(`a rotation failed: ${(error as { code?: string }).code ?? (error as Error).name}`);
    if (failures >= FAILURES_MAX) return this.steps.stop(row, UNEXPECTED);
    const ms = retryDelay(TEMPORARY, failures, Math.random) ?? 0;
    return this.steps.wait(row, UNEXPECTED, ms * this.settings.retryScale, { failures });
  }

  private async open(row: RotationRow, lease: RunLease): Promise<RotatorSession> {
    const { organization_id: organizationId, id, sealed_credential: sealed } = row;
    const context = { organizationId, column: CREDENTIAL_COLUMN, rowId: id };
    const open = await findRotator(row.rotator);
    return open(row.settings, {
      environment: this.setup.fencedBy(lease),
      tenant: await this.setup.tenant(organizationId),
      credential: sealed === null ? null : await this.vault.open(context, fromHex(sealed)),
      commands: this.env.STRATA_ROTATION_COMMANDS,
    });
  }
}

const isDue = ({ next_attempt_at: at }: RotationRow): boolean => at !== null && Date.parse(at) <= Date.now();
