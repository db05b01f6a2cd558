import { Injectable } from '@nestjs/common';
import { Failure, type OrganizationId, type Revision, type UserId, type Uuid } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Statement } from '../postgres/prepared-client.ts';
import type { Transaction } from '../postgres/transaction.ts';
import { Vault } from '../vault/vault.ts';

/**
 * The part of a command's result that an `Idempotency-Key` stores. `shown_once` is for a result with contents that are
 * stored nowhere else, such as a new API key.
 */
export type StoredResult = 'result' | 'revision' | 'shown_once';

/** The key that a caller chooses for a write, so that a retry does not repeat it. */
export interface IdempotencyKey {
  readonly key: string;
  /** The hash of the whole request. A different request with the same key is an error. */
  readonly digest: Buffer;
}

/** The owner of a key: every caller has separate keys in each organization. */
interface Owner {
  readonly id: UserId;
  readonly organizationId: OrganizationId;
}

interface KeyedRequest extends Owner {
  readonly idempotencyKey: IdempotencyKey | null;
}

interface Row {
  readonly digest: Buffer;
  readonly revision: Revision;
  readonly sealed_result: Buffer | null;
  readonly shown_once: boolean;
}

interface StoredOutcome {
  readonly revision: Revision;
  readonly at: string;
  readonly result: unknown;
  readonly storedResult: StoredResult;
}

/**
 * Stores the results of writes with an `Idempotency-Key` for a day, in the transaction of the write itself, so that
 * either both are stored or neither. The lookup runs under the lock of the head row, so of two requests with the same
 * key the second finds the result of the first. Only changes are stored; a rejected request may be sent again.
 */
@Injectable()
export class IdempotencyKeys {
  constructor(private readonly vault: Vault) {}

  /** Returns the result of the earlier request with this key; null if there was none or it was rejected. */
  async findPrevious(em: EntityManager, owner: Owner, { key, digest }: IdempotencyKey) {
    const [row] = await em.query<Row[]>(
      `select digest, revision, sealed_result, shown_once from idempotency_key
        where organization_id = $1 and person_id = $2 and key = $3 and at > clock_timestamp() - interval '1 day'`,
      [owner.organizationId, owner.id, key],
    );
    if (!row) return null;
    if (!row.digest.equals(digest)) throw keyReused();
    if (row.shown_once) throw alreadyShown(row.revision);
    return { revision: row.revision, result: await this.opened(owner, key, row.sealed_result) };
  }

  /**
   * Returns the entry under the key of a request, or null after storing `id` under it (and for a request without a
   * key). The caller holds the lock of the head row, as for any write.
   */
  async claim(
    transaction: Transaction,
    { idempotencyKey: key, ...owner }: KeyedRequest,
    id: Uuid,
  ): Promise<Uuid | null> {
    if (!key) return null;
    const [[head] = []] = (await transaction.send({
      text: 'select revision, clock_timestamp() as at from organization_head where organization_id = $1 for update',
      values: [owner.organizationId],
    })) as Pick<StoredOutcome, 'revision' | 'at'>[][];
    if (!head) throw Failure.notFound('Organization');
    const earlier = await this.findPrevious(transaction.em, owner, key);
    if (earlier) return earlier.result as Uuid;
    await transaction.send(
      ...(await this.storeStatements(owner, key, { ...head, result: id, storedResult: 'result' })),
    );
    return null;
  }

  /**
   * Returns the statements to send with the commit. They also delete the organization's keys that are older than a day.
   */
  async storeStatements(
    owner: Owner,
    { key, digest }: IdempotencyKey,
    outcome: StoredOutcome,
  ): Promise<readonly [Statement, Statement]> {
    const { revision, at, result, storedResult } = outcome;
    const stored = storedResult === 'result' ? result : undefined;
    const sealed =
      stored === undefined ? null : await this.vault.seal(storageKeyOf(owner, key), JSON.stringify(stored));
    const { organizationId, id } = owner;
    return [
      { text: FORGET, values: [organizationId, at] },
      {
        text: REMEMBER,
        values: [organizationId, id, key, digest, revision, sealed, at, storedResult === 'shown_once'],
      },
    ];
  }

  private async opened(owner: Owner, key: string, sealed: Buffer | null): Promise<unknown> {
    return sealed === null ? undefined : JSON.parse(await this.vault.open(storageKeyOf(owner, key), sealed));
  }
}

const FORGET = `delete from idempotency_key where organization_id = $1 and at < $2::timestamptz - interval '1 day'`;

const REMEMBER = `
insert into idempotency_key (organization_id, person_id, key, digest, revision, sealed_result, at, shown_once)
values ($1, $2, $3, $4, $5, $6, $7, $8)
on conflict (organization_id, person_id, key) do update set
  digest = excluded.digest, revision = excluded.revision, sealed_result = excluded.sealed_result,
  at = excluded.at, shown_once = excluded.shown_once`;

const storageKeyOf = ({ organizationId, id }: Owner, key: string) => ({
  organizationId,
  column: 'idempotency_key.sealed_result',
  rowId: `${id}|${key}`,
});

function keyReused(): Failure {
  return new Failure({
    kind: 'unprocessable',
    code: 'idempotency_key_reused',
    message: 'This Idempotency-Key was used for another request. Repeat that request unchanged, or use a new key.',
  });
}

function alreadyShown(revision: Revision): Failure {
  return Failure.conflict(
    'shown_once',
    `This request was already executed, as revision ${revision}. The secret in its response is not shown again. Create a new one.`,
  );
}
