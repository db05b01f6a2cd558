import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Failure, type OrganizationId } from '@strata/domain';
import { consistencyPath, cosignatureRequest, readCosignatures } from '@strata/evidence';
import { addressGuard, createGuardedFetch } from '@strata/outbound';
import type { Env, WitnessSetting } from '../../platform/env.ts';
import { Heads } from '../../platform/ledger/heads.ts';
import { coreObserver } from '../../platform/observer.ts';
import { JobTasks } from '../../platform/postgres/job-tasks.ts';
import { ENV } from '../../platform/tokens.ts';
import { CheckpointSigner } from './checkpoint-signer.ts';
import { Checkpoints } from './checkpoints.ts';
import { LedgerTree } from './ledger-tree.ts';
import { type PublishedCheckpoint, PublishedCheckpoints } from './published-checkpoints.ts';

const JOB = 'publish_checkpoint';
/** How often a process looks for organizations whose checkpoint is due. */
const RUN_INTERVAL_MS = 60_000;

/**
 * `ahead` and `rejected` mean that the witness knows another history: a later revision than the ledger has, or revisions that it
 * does not continue.
 */
export type CosignatureResult = 'cosigned' | 'ahead' | 'rejected' | 'unknown_log' | 'invalid' | 'unreachable';

/** Publishes the checkpoints of all organizations that have changed, and has them cosigned by the witnesses. */
@Injectable()
export class CheckpointPublisher implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('checkpoints');
  /** The operator has chosen the addresses. */
  private readonly outbound = createGuardedFetch(addressGuard({ allowPrivate: true, setting: 'STRATA_WITNESSES' }));
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly signer: CheckpointSigner,
    private readonly checkpoints: Checkpoints,
    private readonly published: PublishedCheckpoints,
    private readonly tree: LedgerTree,
    private readonly heads: Heads,
    @Inject(ENV) private readonly env: Env,
    tasks: JobTasks,
  ) {
    tasks.add(JOB, (job) => this.publish((job as { readonly organizationId: OrganizationId }).organizationId));
  }

  onApplicationBootstrap(): void {
    if (this.signer.isEnabled) this.timer = setInterval(() => this.run(), RUN_INTERVAL_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await this.running;
    this.outbound.destroy();
  }

  /** Creates a job for each organization whose checkpoint is due. */
  run(): Promise<void> {
    this.running = this.published.enqueueDue(this.env.STRATA_CHECKPOINT_MINUTES, JOB).catch((error: unknown) => {
      this.logger.warn(`could not find due checkpoints: ${(error as { code?: string }).code ?? 'no code'}`);
    });
    return this.running;
  }

  /** Publishes the checkpoint of the present revision, unless it is published, and requests the missing cosignatures. */
  async publish(organizationId: OrganizationId): Promise<void> {
    const checkpoint = await this.sign(organizationId);
    if (checkpoint === null) return;
    const { revision, cosignatures } = checkpoint;
    await this.published.markAttempt(organizationId, revision);
    for (const witness of this.published.witnesses) {
      if (witness.key.name in cosignatures) continue;
      const result = await this.cosign(organizationId, checkpoint, witness);
      coreObserver?.cosignature(result);
      if (result !== 'cosigned') this.logger.error(describeFailure(witness, organizationId, revision, result));
    }
  }

  /** Returns the latest checkpoint. Returns null if the ledger is damaged, which `LedgerTree` logs. */
  private async sign(organizationId: OrganizationId): Promise<PublishedCheckpoint | null> {
    const { revision } = await this.heads.required(organizationId);
    const latest = await this.published.latest(organizationId);
    if (latest?.revision === revision) return latest;
    try {
      const { note } = await this.checkpoints.create(organizationId, revision);
      if (await this.published.store(organizationId, revision, note)) coreObserver?.checkpoint('published');
      return { revision, note, cosignatures: {} };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      coreObserver?.checkpoint('damaged');
      return null;
    }
  }

  /** Requests a cosignature. If the witness knows another revision, it says which one, and gets a proof from there. */
  private async cosign(
    organizationId: OrganizationId,
    checkpoint: PublishedCheckpoint,
    witness: WitnessSetting,
  ): Promise<CosignatureResult> {
    const { revision, note } = checkpoint;
    const oldSize = await this.published.cosignedRevision(organizationId, witness.key.name);
    let response = await this.request(organizationId, checkpoint, witness, Math.min(oldSize, revision));
    if (response?.status === 409) {
      const size = Number(response.text);
      if (!(size <= revision)) return size > revision ? 'ahead' : 'invalid';
      response = await this.request(organizationId, checkpoint, witness, size);
    }
    if (response === null) return 'unreachable';
    // Some witnesses respond to an unknown origin with 404, and others with 403.
    if (response.status === 403 || response.status === 404) return 'unknown_log';
    if (response.status === 422) return 'rejected';
    if (response.status !== 200) return 'unreachable';
    const lines = readCosignatures(note, response.text, witness.key);
    if (lines === '') return 'invalid';
    await this.published.addCosignature(organizationId, revision, witness.key.name, lines);
    return 'cosigned';
  }

  private async request(
    organizationId: OrganizationId,
    { revision, note }: PublishedCheckpoint,
    { url }: WitnessSetting,
    oldSize: number,
  ): Promise<{ readonly status: number; readonly text: string } | null> {
    const proof = await this.tree.hashes(organizationId, revision, consistencyPath(oldSize, revision));
    try {
      const body = cosignatureRequest(oldSize, proof, note);
      const response = await this.outbound.fetch(`${url}/add-checkpoint`, { method: 'POST', body });
      return { status: response.status, text: await response.text() };
    } catch {
      return null;
    }
  }
}

const REASONS: Readonly<Record<Exclude<CosignatureResult, 'cosigned'>, string>> = {
  ahead: 'it has cosigned a later revision, so the end of the ledger is lost',
  rejected: 'the ledger does not continue what it has cosigned, so earlier revisions were rewritten',
  unknown_log: 'it does not know the ledger or its key',
  invalid: 'its response has no valid cosignature of the key in the settings',
  unreachable: 'it does not respond',
};

function describeFailure(
  { key }: WitnessSetting,
  organizationId: OrganizationId,
  revision: number,
  result: Exclude<CosignatureResult, 'cosigned'>,
): string {
  return `The witness ${key.name} did not cosign revision ${revision} of organization ${organizationId}: ${REASONS[result]}. See docs/reference/runbook.md#strataledgercontradicted`;
}
