import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { INSTANCE_LIMITS } from '@strata/contract';
import { acknowledgementEvent, counted, nextStage, type RotationEvent, rotationStart } from '@strata/domain';
import { type CreationRequest, ProviderError, type RotatorSession } from '@strata/providers';
import type { EntityManager } from 'typeorm';
import { Vault } from '../../platform/vault/vault.ts';
import { RunSettings } from '../integrations/runs/run-settings.ts';
import { RotationInstances } from './rotation-instances.ts';
import { fromHex, NEW_COLUMN, type Reason, type RotationRow, toHex } from './rotation-row.ts';
import { type RotationChanges, RotationStore } from './rotation-store.ts';
import { type RotatedValue, RotationValues, VALUE_CHANGED } from './rotation-values.ts';

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
    private readonly values: RotationValues,
    private readonly vault: Vault,
    private readonly settings: RunSettings,
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
    await this.store.save(row, { stop_code: code, stop_detail: detail, next_attempt_at: null });
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
    });
    return saved;
  }

  /** Waits for the instances and the grace period, and revokes the previous credential. */
  private async retire(row: RotationRow, session: RotatorSession, value: RotatedValue): Promise<RotationRow | null> {
    const old = row.old_credential ?? '';
    const blocking = await this.instances.findBlocking(row);
    const { stage, unused_since: lastKnownUse } = row;
    const use = stage === 'acknowledging' ? null : await session.lastUse(old);
    const isUsed = use !== null && use.getTime() > Date.parse(lastKnownUse ?? row.stage_since);
    const unusedSince = stage === 'acknowledging' ? null : isUsed ? use.toISOString() : (lastKnownUse ?? now());
    const event = acknowledgementEvent(row.stage, {
      blocking: blocking.names.length,
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

  private describeWaiting(
    { old_credential: old, grace_seconds: grace, silent }: RotationRow,
    { names, hasSilent }: Awaited<ReturnType<RotationInstances['findBlocking']>>,
    isUsed: boolean,
  ): readonly [Reason, number] {
    const { rotationCheckMs } = this.settings;
    if (names.length > 0) {
      // Without names, because not everyone who reads the rotation may read the projects of the instances.
      const detail = `${counted(names.length, 'instance')} must still acknowledge the new credential. See pending.`;
      if (hasSilent && silent === 'decide')
        return [
          { code: 'silent_instances', detail: `${detail} Some do not report any more. Dismiss those that have ended.` },
          rotationCheckMs,
        ];
      return [{ code: 'instances', detail }, rotationCheckMs];
    }
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
    if (!(await session.revoke(old))) {
      // A rotator may not know that the credential is in use.
      const { code, detail } = inUse(old);
      const waiting = { wait_code: code, wait_detail: detail, next_attempt_at: after(this.settings.rotationCheckMs) };
      await this.advance(row, 'used', { unused_since: null, ...waiting });
      return null;
    }
    const { interval_days: days, is_requested: isRequested } = row;
    await this.instances.clear(row);
    return this.advance(row, 'revoked', {
      retired_credential: old,
      old_credential: null,
      own_credentials: row.own_credentials.filter((name) => name !== old),
      ...(!isRequested && { last_rotated_at: now() }),
      next_attempt_at: isRequested ? now() : days === null ? null : after(days * DAY_MS),
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
    const stage = nextStage(row.stage, event);
    if (stage === null) throw new Error(`The event ${event} cannot happen in ${row.stage}.`);
    const reset = { wait_code: null, wait_detail: null, failures: 0, next_attempt_at: now() };
    return this.store.save(row, { ...reset, ...changes, stage, stage_since: now() }, em);
  }

  private async seal({ organization_id: organizationId, id }: RotationRow, text: string): Promise<string> {
    return toHex(await this.vault.seal({ organizationId, column: NEW_COLUMN, rowId: id }, text));
  }

  private async open({ organization_id: organizationId, id, sealed_new: sealed }: RotationRow): Promise<string> {
    if (sealed === null) throw new Error('A rotation in this stage has a new credential.');
    return this.vault.open({ organizationId, column: NEW_COLUMN, rowId: id }, fromHex(sealed));
  }
}

const CHANGED: Reason = { code: 'value_changed', detail: VALUE_CHANGED };

const inUse = (name: string): Reason => ({
  code: 'in_use',
  detail: `The credential ${name} is still used by a program that reports no instance.`,
});

const REPORTS_INCOMPLETE: Reason = {
  code: 'reports_incomplete',
  detail: `Instances could not report for some time. Nothing is revoked for ${INSTANCE_LIMITS.lifetimeMinutes} minutes, so that they can report again.`,
};

const UNUSABLE_VALUE: Reason = {
  code: 'unusable_value',
  detail:
    'The environment has no own value of the secret parameter that a rotation can replace. Set one, and rotate again.',
};

const UNKNOWN_TEXT: Reason = {
  code: 'unknown_text',
  detail: 'The secret does not contain a credential of this rotation. Set the text of a working one, and rotate again.',
};

const PUBLISHED_FAILS: Reason = {
  code: 'published_fails',
  detail:
    'The system rejects the published credential, so the previous one is not revoked. Check the published one, and rotate again.',
};

const NOT_ACCEPTED = {
  code: 'not_accepted_yet',
  detail: 'The system does not accept the new credential yet. It is published when it works.',
};

const unknownCredential = (name: string): Reason => ({
  code: 'unknown_credential',
  detail: `The system has the credential ${name}, which this rotation did not create. Delete it if it is unused, and rotate again.`,
});
