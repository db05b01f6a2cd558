import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { CHANGESET_LIMITS } from '@strata/contract';
import { acknowledgementEvent, nextStage, type RotationEvent, rotationStart } from '@strata/domain';
import { type CreationRequest, ProviderError, type RotatorSession } from '@strata/providers';
import type { EntityManager } from 'typeorm';
import { objectChange } from '../../platform/ledger/object-change.ts';
import { UnitOfWork } from '../../platform/ledger/unit-of-work.ts';
import { Vault } from '../../platform/vault/vault.ts';
import { RunSettings } from '../integrations/runs/run-settings.ts';
import { RotationInstances } from './rotation-instances.ts';
import { RotationPushes } from './rotation-pushes.ts';
import {
  type Blocking,
  CHANGED,
  describeBlocking,
  inUse,
  NOT_ACCEPTED,
  PUBLISHED_FAILS,
  REPORTS_INCOMPLETE,
  UNKNOWN_TEXT,
  UNUSABLE_VALUE,
  unknownCredential,
} from './rotation-reasons.ts';
import { fromHex, NEW_COLUMN, type Reason, type RotationRow, toHex } from './rotation-row.ts';
import { type RotationChanges, RotationStore } from './rotation-store.ts';
import { findTarget } from './rotation-target.ts';
import { createRotationsCaller, type RotatedValue, RotationValues } from './rotation-values.ts';

const DAY_MS = 86_400_000;

const after = (ms: number): string => new Date(Date.now() + ms).toISOString();
const now = (): string => after(0);

/**
 * Does the steps of rotations. Before a step does something outside, the stage that allows it is stored. Every step can
 * be repeated after a crash.
 */
@Injectable()
export class RotationSteps {
  constructor(
    private readonly store: RotationStore,
    private readonly instances: RotationInstances,
    private readonly pushes: RotationPushes,
    private readonly values: RotationValues,
    private readonly vault: Vault,
    private readonly settings: RunSettings,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Does one step. Returns the stored rotation, or null if it waits or has stopped. */
  async next(row: RotationRow, session: RotatorSession): Promise<RotationRow | null> {
    const value = await this.values.read(row);
    if (row.is_aborted && row.stage !== 'idle') return this.abort(row, session, value);
    if (value === null) return this.stop(row, UNUSABLE_VALUE);
    if (row.stage === 'idle') return this.start(row, session, value);
    if (value.ledgerId !== row.value_ledger_id) return this.stop(row, CHANGED);
    if (row.stage === 'creating') return this.create(row, session, value);
    if (row.stage === 'publishing') return this.publish(row, session, value);
    return this.retire(row, session, value);
  }

  /** Stores why the rotation waits, and when it continues. */
  async wait(row: RotationRow, { code, detail }: Reason, ms: number, changes: RotationChanges = {}): Promise<null> {
    await this.store.save(row, { ...changes, wait_code: code, wait_detail: detail, next_attempt_at: after(ms) });
    return null;
  }

  /** Stops until a person continues. */
  async stop(row: RotationRow, { code, detail }: Reason): Promise<null> {
    const changes = { stop_code: code, stop_detail: detail, next_attempt_at: null };
    await this.record(row, changes, `The rotation has stopped. ${detail}`);
    return null;
  }

  private async start(row: RotationRow, session: RotatorSession, value: RotatedValue): Promise<RotationRow | null> {
    const published = await session.identify(value.text);
    if (published === null) return this.stop(row, UNKNOWN_TEXT);
    const otherName = await session.findOther(published);
    const isOwned = session.ownsAll || (otherName !== null && row.own_credentials.includes(otherName));
    const event = rotationStart({ otherCredential: otherName, retired: row.retired_credential, isOwned });
    if (event === 'unknown') return this.stop(row, unknownCredential(otherName ?? ''));
    const changes = {
      run_id: randomUUID(),
      is_aborted: false,
      value_ledger_id: value.ledgerId,
      published_credential: published,
      published_revision: value.revision,
      unused_since: null,
    };
    if (event === 'started') {
      const sealed = await this.seal(row, session.draft());
      return this.advance(row, event, { ...changes, is_requested: false, sealed_new: sealed, old_credential: null });
    }
    // The rotation begins after the revocation.
    await this.instances.expect(row);
    await this.pushes.expectAgain(row);
    return this.advance(row, event, { ...changes, is_requested: true, published_at: now(), old_credential: otherName });
  }

  private async create(row: RotationRow, session: RotatorSession, value: RotatedValue): Promise<RotationRow> {
    const created = await session.create(await this.creation(row, value));
    return this.advance(row, 'created', {
      new_credential: created.name,
      sealed_new: await this.seal(row, created.text),
      own_credentials: [...new Set([...row.own_credentials, created.name])],
      retired_credential: null,
    });
  }

  private async publish(row: RotationRow, session: RotatorSession, value: RotatedValue): Promise<RotationRow> {
    const text = await this.open(row);
    if (!(await session.works(text))) throw new ProviderError({ kind: 'retryable', ...NOT_ACCEPTED });
    let saved = row;
    await this.values.publish(row, value, text, async (em, { ledgerId, revision }) => {
      const published = {
        ...{ value_ledger_id: ledgerId, published_revision: revision, published_at: now(), unused_since: null },
        ...{ published_credential: row.new_credential, old_credential: row.published_credential },
        ...{ new_credential: null, sealed_new: null },
      };
      saved = await this.advance(row, 'published', published, em);
      await this.instances.expect(row, em);
      await this.pushes.expect(row, em);
    });
    return saved;
  }

  /** Waits for the instances, the pushes and the grace period, and revokes the previous credential. */
  private async retire(row: RotationRow, session: RotatorSession, value: RotatedValue): Promise<RotationRow | null> {
    const old = row.old_credential ?? '';
    const blocking = await this.findBlocking(row);
    const { stage, unused_since: lastKnownUse } = row;
    const use = stage === 'acknowledging' ? null : await session.lastUse(old);
    const isUsed = use !== null && use.getTime() > Date.parse(lastKnownUse ?? row.stage_since);
    const unusedSince = stage === 'acknowledging' ? null : isUsed ? use.toISOString() : (lastKnownUse ?? now());
    const event = acknowledgementEvent(row.stage, {
      blocking: blocking.instances.count + blocking.pushes.count,
      areReportsComplete: this.instances.areReportsComplete(),
      isUsed,
      unusedSeconds: unusedSince === null ? 0 : (Date.now() - Date.parse(unusedSince)) / 1_000,
      graceSeconds: row.grace_seconds,
    });
    if (event !== null) return this.advance(row, event, { unused_since: unusedSince });
    if (row.stage === 'revoking') return this.revoke(row, session, value);
    const [reason, ms] = this.describeWaiting(row, blocking, isUsed);
    return this.wait(row, reason, ms, { unused_since: unusedSince, failures: 0 });
  }

  private async findBlocking(row: RotationRow): Promise<Blocking> {
    return { instances: await this.instances.findBlocking(row), pushes: await this.pushes.findBlocking(row) };
  }

  private describeWaiting(
    { old_credential: old, grace_seconds: grace, silent }: RotationRow,
    { instances, pushes }: Blocking,
    isUsed: boolean,
  ): readonly [Reason, number] {
    const { rotationCheckMs } = this.settings;
    if (instances.count + pushes.count > 0)
      return [describeBlocking({ instances, pushes }, silent === 'decide'), rotationCheckMs];
    if (!this.instances.areReportsComplete()) return [REPORTS_INCOMPLETE, rotationCheckMs];
    if (isUsed) return [inUse(old ?? ''), rotationCheckMs];
    const detail = `The credential ${old} is unused. It is revoked after a grace period of ${grace} s.`;
    return [{ code: 'grace', detail }, Math.min(rotationCheckMs, Math.max(grace * 1_000, 1))];
  }

  /** The last checks, right before the revocation: the secret has another credential, and that one works. */
  private async revoke(row: RotationRow, session: RotatorSession, value: RotatedValue): Promise<RotationRow | null> {
    const old = row.old_credential ?? '';
    const published = await session.identify(value.text);
    if (published === null || published === old) return this.stop(row, UNKNOWN_TEXT);
    if (!(await session.works(value.text))) return this.stop(row, PUBLISHED_FAILS);
    // The checks take some seconds.
    if ((await this.values.read(row))?.ledgerId !== value.ledgerId) return this.stop(row, CHANGED);
    const { instances, pushes } = await this.findBlocking(row);
    if (instances.count + pushes.count > 0) return this.advance(row, 'unacknowledged', { unused_since: null });
    if (!(await session.revoke(old))) {
      // A rotator may not know that the credential is in use.
      const { code, detail } = inUse(old);
      const waiting = { wait_code: code, wait_detail: detail, next_attempt_at: after(this.settings.rotationCheckMs) };
      await this.advance(row, 'used', { unused_since: null, ...waiting });
      return null;
    }
    const { interval_days: days, is_requested: isRequested } = row;
    const changes = {
      retired_credential: old,
      old_credential: null,
      own_credentials: row.own_credentials.filter((name) => name !== old),
      ...(!isRequested && { last_rotated_at: now() }),
      next_attempt_at: isRequested ? now() : days === null ? null : after(days * DAY_MS),
    };
    const message = `The credential ${old} was revoked.`;
    return this.record(row, stageChanges(row, 'revoked', changes), message, async (em) => {
      await this.instances.clear(row, em);
      await this.pushes.clear(row, em);
    });
  }

  /** Ends a rotation. Only a credential that was never published is revoked. */
  private async abort(
    row: RotationRow,
    session: RotatorSession,
    value: RotatedValue | null,
  ): Promise<RotationRow | null> {
    const isUnpublished = row.stage === 'creating' || row.stage === 'publishing';
    const created = row.stage === 'creating' ? await this.findCreated(row, session, value) : row.new_credential;
    const current = value === null ? null : await session.identify(value.text);
    const isRevoked = isUnpublished && created !== null && current !== created && (await session.revoke(created));
    const { interval_days: days } = row;
    // The next rotation may revoke each of them.
    const left = [created, row.old_credential, row.retired_credential];
    return this.advance(row, isUnpublished ? 'discarded' : 'aborted', {
      ...{ is_aborted: false, is_requested: false, new_credential: null, sealed_new: null, old_credential: null },
      published_credential: current,
      retired_credential: isRevoked ? created : null,
      own_credentials: [...new Set([...row.own_credentials, ...left])].filter((name) => name !== null),
      next_attempt_at: days === null ? null : after(days * DAY_MS),
    });
  }

  /** Repeats the creation, so that a credential whose name was not stored can be revoked. Null if there is none. */
  private async findCreated(row: RotationRow, session: RotatorSession, value: RotatedValue | null) {
    if (value === null || value.ledgerId !== row.value_ledger_id) return null;
    try {
      return (await session.create(await this.creation(row, value))).name;
    } catch (error) {
      if (error instanceof ProviderError && error.kind !== 'retryable' && error.kind !== 'rate') return null;
      throw error;
    }
  }

  private async creation(row: RotationRow, { text }: RotatedValue): Promise<CreationRequest> {
    const { published_credential: published, retired_credential: retired, run_id: runId } = row;
    return { published: published ?? '', text, draft: await this.open(row), retired, runId: runId ?? '' };
  }

  /** Stores the stage after an event. Idle rotations wait for their next time. */
  private async advance(
    row: RotationRow,
    event: RotationEvent,
    changes: RotationChanges,
    em?: EntityManager,
  ): Promise<RotationRow> {
    return this.store.save(row, stageChanges(row, event, changes), em);
  }

  /** Stores a step and why it was done, in one transaction with `work`. The history shows it, and it is an event. */
  private async record(
    row: RotationRow,
    changes: RotationChanges,
    message: string,
    work: (em: EntityManager) => Promise<void> = async () => undefined,
  ): Promise<RotationRow> {
    const { organization_id: organizationId, parameter_id: parameterId, environment_id: environmentId } = row;
    let saved = row;
    await this.unitOfWork.run({
      operation: 'rotations_step',
      caller: createRotationsCaller(organizationId),
      note: { message: message.slice(0, CHANGESET_LIMITS.message), externalRef: null },
      run: async (context) => {
        saved = await this.store.save(row, changes, context.em);
        await work(context.em);
        const target = await findTarget(context.em, organizationId, parameterId, environmentId);
        context.record(objectChange('update', 'Rotation', row, target));
      },
    });
    return saved;
  }

  private async seal({ organization_id: organizationId, id }: RotationRow, text: string): Promise<string> {
    return toHex(await this.vault.seal({ organizationId, column: NEW_COLUMN, rowId: id }, text));
  }

  private async open({ organization_id: organizationId, id, sealed_new: sealed }: RotationRow): Promise<string> {
    if (sealed === null) throw new Error('A rotation in this stage has a new credential.');
    return this.vault.open({ organizationId, column: NEW_COLUMN, rowId: id }, fromHex(sealed));
  }
}

/** Returns what an event changes. */
function stageChanges(row: RotationRow, event: RotationEvent, changes: RotationChanges): RotationChanges {
  const stage = nextStage(row.stage, event);
  if (stage === null) throw new Error(`The event ${event} cannot happen in ${row.stage}.`);
  const reset = { wait_code: null, wait_detail: null, failures: 0, next_attempt_at: now() };
  return { ...reset, ...changes, stage, stage_since: now() };
}
