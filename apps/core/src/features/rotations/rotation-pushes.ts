import { Injectable } from '@nestjs/common';
import { type CopyReason, copyReason, Failure, isBlockingCopy, LruCache, type OrganizationId } from '@strata/domain';
import { DataSource, type EntityManager } from 'typeorm';
import { cacheBytes } from '../../platform/cache-size.ts';
import { poolOf } from '../../platform/postgres/data-source.ts';
import { Vault } from '../../platform/vault/vault.ts';
import { DesiredValues, PushTooLarge, valueId } from '../integrations/runs/desired-values.ts';
import type { ClaimedSync } from '../integrations/runs/run-store.ts';
import { hashKey, type KeyOrigin } from '../integrations/runs/sync-keys.ts';
import {
  CLEAR,
  COPIES_AT,
  COPIES_NOW,
  DETAILS,
  EXPECT,
  KEEP,
  MARK,
  STORE,
  TAG_REVISIONS,
  UNDISMISS,
} from './rotation-push-statements.ts';
import type { RotationRow } from './rotation-row.ts';

/** The size of one cached hash with its key. */
const HASH_BYTES = 1_024;

interface Copy {
  readonly push_id: string;
  readonly store: string;
  readonly key: string;
  readonly project_id: string;
  readonly environment_id: string;
}

interface CopyRow {
  readonly pushId: string;
  readonly store: string;
  readonly key: string;
  /** Whether the record of the key says that its text may be from the value. Otherwise an earlier check found it. */
  readonly isFound: boolean;
  readonly name: string;
  readonly integration: string;
  readonly exists: boolean;
  readonly hasRecord: boolean;
  readonly resource: string | null;
  /** Null if the push was deleted. */
  readonly options: ClaimedSync['options'] | null;
  readonly origin: KeyOrigin;
  readonly hash: string | null;
  readonly startedHash: string | null;
  /** The hashes of the texts that may contain the previous credential. */
  readonly storedHashes: readonly string[];
  readonly wasReplaced: boolean;
  readonly isRemoved: boolean;
  readonly isInSync: boolean;
  /** When the push was dismissed. */
  readonly dismissedAt: string | null;
  readonly isDismissed: boolean;
  readonly isStartedLater: boolean;
  readonly mayWrite: boolean;
  readonly tagRevision: number | null;
  readonly isTagOlder: boolean;
  readonly needsDecision: boolean;
  readonly run: 'waiting' | 'failed' | 'ended';
}

/** A key, and the hash of its value at a tag that is as new as the publication. */
interface CheckedCopy extends CopyRow {
  readonly currentHash: string | null;
}

/** The pushes that prevent the revocation of the previous credential. */
export interface BlockingPushes {
  readonly count: number;
  /** Whether one of them does not replace its text by itself. */
  readonly needsPerson: boolean;
}

/** Keeps which pushes have replaced the previous credential of a rotation at their stores. */
@Injectable()
export class RotationPushes {
  /** The hashes of values at tags. These texts do not change. */
  private readonly hashes = new LruCache<string>(cacheBytes(1), () => HASH_BYTES);

  constructor(
    private readonly dataSource: DataSource,
    private readonly values: DesiredValues,
    private readonly vault: Vault,
  ) {}

  /** Begins to wait for all pushes that wrote the value. Later checks also find those that only wrote it at their tags. */
  async expect(row: RotationRow, em: EntityManager): Promise<void> {
    await this.clear(row, em);
    await this.add(row, em);
  }

  /** Begins to wait for all copies of a credential that an aborted rotation left. It has stored some of them. */
  async expectAgain(row: RotationRow): Promise<void> {
    const em = this.dataSource.manager;
    await em.query(UNDISMISS, [row.organization_id, row.id]);
    await this.add(row, em);
  }

  /** Stops waiting for any push. */
  async clear({ organization_id: organizationId, id }: RotationRow, em: EntityManager): Promise<void> {
    await em.query(CLEAR, [organizationId, id]);
  }

  private async add(row: RotationRow, em: EntityManager): Promise<void> {
    const { organization_id: organizationId, id } = row;
    const copies = await em.query<Copy[]>(COPIES_NOW, [organizationId, 0, row.parameter_id, row.environment_id]);
    await em.query(EXPECT, [organizationId, id, copies.map(({ push_id: pushId }) => pushId)]);
    await em.query(KEEP, [organizationId, id, JSON.stringify(copies)]);
  }

  /** Compares what pushes wrote with the values since the publication. */
  async findBlocking(row: RotationRow): Promise<BlockingPushes> {
    const { organization_id: organizationId, id, published_revision: revision } = row;
    const candidates = await this.readCopies(row);
    const input = [organizationId, JSON.stringify(candidates), revision ?? 0, id];
    const rows = await this.query<CopyRow>(DETAILS, input);
    const copies: CheckedCopy[] = [];
    for (const [pushId, ofPush] of Map.groupBy(rows, (copy) => copy.pushId))
      copies.push(...(await this.addCurrentHashes(organizationId, pushId, ofPush)));

    const blocking = [...Map.groupBy(copies, ({ pushId }) => pushId)].flatMap(([pushId, ofPush]) => {
      const reasons = ofPush.filter(isBlocking).map(copyReason);
      const reason = reasons.find(needsPerson) ?? reasons[0];
      const { name, integration, dismissedAt } = ofPush[0] ?? {};
      return reason ? [{ id: pushId, name, integration, reason, dismissed_at: dismissedAt }] : [];
    });
    await this.query(STORE, [organizationId, id, JSON.stringify(blocking)]);
    const unreplaced = new Set(copies.filter((copy) => !isReplaced(copy)).map(keyId));
    const stored = candidates.filter((copy) => unreplaced.has(keyId({ ...copy, pushId: copy.push_id })));
    await this.query(KEEP, [organizationId, id, JSON.stringify(stored)]);
    await this.query(MARK, [organizationId, id, JSON.stringify(copies.map(toMark))]);
    return { count: blocking.length, needsPerson: blocking.some(({ reason }) => needsPerson(reason)) };
  }

  private async readCopies({ organization_id: organizationId, ...row }: RotationRow): Promise<readonly Copy[]> {
    const target = [row.parameter_id, row.environment_id];
    const copies = [...(await this.query<Copy>(COPIES_NOW, [organizationId, 0, ...target]))];
    for (const { revision } of await this.query<{ revision: number | null }>(TAG_REVISIONS, [organizationId])) {
      if (revision !== null) copies.push(...(await this.query<Copy>(COPIES_AT, [organizationId, revision, ...target])));
    }
    return [...new Map(copies.map((copy) => [keyId({ ...copy, pushId: copy.push_id }), copy])).values()];
  }

  /** Adds the hashes of values at tags that are as new as the publication. */
  private async addCurrentHashes(
    organizationId: OrganizationId,
    pushId: string,
    rows: readonly CopyRow[],
  ): Promise<readonly CheckedCopy[]> {
    const candidates = rows.filter(({ hasRecord, isTagOlder }) => hasRecord && !isTagOlder);
    const missing = candidates.filter((copy) => this.hashes.get(textId(copy)) === null);
    const [first] = missing;
    const texts = first ? await this.readTexts(organizationId, pushId, first) : new Map<string, string>();
    for (const copy of missing) {
      const text = texts.get(valueId(copy.origin));
      if (text === undefined) continue;
      this.hashes.put(textId(copy), await hashKey(this.vault, organizationId, copy.store, copy.key, text));
    }
    const hasHash = new Set(candidates);
    return rows.map((copy) => ({ ...copy, currentHash: hasHash.has(copy) ? this.hashes.get(textId(copy)) : null }));
  }

  /** Returns the texts that a push writes. None if they cannot be determined, because then its next run fails, too. */
  private async readTexts(
    organizationId: OrganizationId,
    syncId: string,
    { name, resource, options }: CopyRow,
  ): Promise<ReadonlyMap<string, string>> {
    if (options === null) return new Map();
    try {
      const { values } = await this.values.of({ organizationId, syncId, sync: { name, resource, options } });
      return new Map(values.flatMap((value) => (value.problem === null ? [[valueId(value), value.text]] : [])));
    } catch (error) {
      if (error instanceof PushTooLarge || error instanceof Failure) return new Map();
      throw error;
    }
  }

  private async query<Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]> {
    return (await poolOf(this.dataSource).query<Row>(text, [...values])).rows;
  }
}

const keyId = ({ pushId, store, key }: Pick<CopyRow, 'pushId' | 'store' | 'key'>): string =>
  JSON.stringify([pushId, store, key]);

/** Identifies the text that a push writes to a key. */
const textId = (copy: CopyRow): string =>
  JSON.stringify([keyId(copy), copy.tagRevision, valueId(copy.origin), copy.options, copy.resource]);

const isCurrent = ({ isInSync, hash, currentHash }: CheckedCopy): boolean =>
  isInSync && hash !== null && hash === currentHash;

/**
 * Returns whether the store does not have the previous credential any more. A key whose record is gone still has the text
 * of the latest check. A key that is not found any more has another text only after it was written again.
 */
function isReplaced(copy: CheckedCopy): boolean {
  if (!copy.hasRecord) return copy.wasReplaced;
  if (copy.isRemoved || isCurrent(copy)) return true;
  return !copy.isFound && copy.isInSync && copy.hash !== null && !copy.storedHashes.includes(copy.hash);
}

/** A write that began after a dismissal may have written an older text, unless it writes the current one. */
const isDismissed = ({ isDismissed, isStartedLater, startedHash, currentHash }: CheckedCopy): boolean =>
  isDismissed && !(isStartedLater && startedHash !== currentHash);

const isBlocking = (copy: CheckedCopy): boolean =>
  isBlockingCopy({ isCurrent: isReplaced(copy), isRemoved: copy.isRemoved, isDismissed: isDismissed(copy) });

const toMark = (copy: CheckedCopy) => ({
  push_id: copy.pushId,
  store: copy.store,
  key: copy.key,
  is_replaced: isReplaced(copy),
  current_hash: isCurrent(copy) ? copy.currentHash : null,
});

const needsPerson = (reason: CopyReason): boolean => reason !== 'running';
