import { Injectable } from '@nestjs/common';
import { Failure, type OrganizationId, type Revision, sentence, type UserId, type Uuid } from '@strata/domain';
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

/** A stored row. The bytes are text, because a set reads rows as JSON. */
interface Row {
  readonly digest: string;
  readonly revision: Revision;
  readonly sealed_result: string | null;
  readonly shown_once: boolean;
}

interface StoredOutcome {
  readonly revision: Revision;
  readonly at: string;
  readonly result: unknown;
  readonly storedResult?: StoredResult | undefined;
}

/**
 * Stores the results of writes with an `Idempotency-Key` for a day, in the transaction of the write itself, so that
 * either both are stored or neither. The lookup runs under the lock of the head row, so of two requests with the same
 * key the second finds the result of the first. Only changes are stored; a rejected request may be sent again.
 */
@Injectable()
export class IdempotencyKeys {
  constructor(private readonly vault: Vault) {}

  /** Returns the query for the earlier request with the same key; none for a request without a key. */
  previous({ organizationId, id, idempotencyKey }: KeyedRequest): readonly Statement[] {
    return idempotencyKey ? [{ text: PREVIOUS, values: [organizationId, id, idempotencyKey.key] }] : [];
  }

  /** Returns the result of the earlier request, from its row; null if there was none or it was rejected. */
  async openPrevious({ idempotencyKey: key, ...owner }: KeyedRequest, [first]: readonly object[]) {
    const row = first as Row | undefined;
    if (!key || !row) return null;
    if (row.digest !== `\\x${key.digest.toString('hex')}`) throw keyReusedError();
    if (row.shown_once) throw alreadyShownError(row.revision);
    return { revision: row.revision, result: await this.opened(owner, key.key, row.sealed_result) };
  }

  /**
   * Returns the entry under the key of a request, or null after storing `id` under it (and for a request without a
   * key). The caller holds the lock of the head row, as for any write.
   */
  async claim(transaction: Transaction, request: KeyedRequest, id: Uuid): Promise<Uuid | null> {
    if (!request.idempotencyKey) return null;
    const [[head] = []] = (await transaction.send({
      text: 'select revision, clock_timestamp() as at from organization_head where organization_id = $1 for update',
      values: [request.organizationId],
    })) as Pick<StoredOutcome, 'revision' | 'at'>[][];
    if (!head) throw Failure.notFound('Organization');
    const [rows = []] = await transaction.send(...this.previous(request));
    const earlierResult = await this.openPrevious(request, rows);
    if (earlierResult) return earlierResult.result as Uuid;
    await transaction.send(...(await this.storeStatements(request, { ...head, result: id, storedResult: 'result' })));
    return null;
  }

  /**
   * Returns the statements to send with the commit; none for a request without a key. They also delete the
   * organization's keys that are older than a day.
   */
  async storeStatements(
    { idempotencyKey, ...owner }: KeyedRequest,
    { revision, at, result, storedResult = 'result' }: StoredOutcome,
  ): Promise<readonly Statement[]> {
    if (!idempotencyKey) return [];
    const { key, digest } = idempotencyKey;
    const resultToStore = storedResult === 'result' ? result : undefined;
    const sealedResult =
      resultToStore === undefined ? null : await this.vault.seal(storageKey(owner, key), JSON.stringify(resultToStore));
    const { organizationId, id } = owner;
    return [
      { text: FORGET, values: [organizationId, at] },
      {
        text: REMEMBER,
        values: [organizationId, id, key, digest, revision, sealedResult, at, storedResult === 'shown_once'],
      },
    ];
  }

  private async opened(owner: Owner, key: string, sealedText: string | null): Promise<unknown> {
    if (sealedText === null) return undefined;
    return JSON.parse(await this.vault.open(storageKey(owner, key), Buffer.from(sealedText.slice(2), 'hex')));
  }
}

const PREVIOUS = `
select digest::text, revision, sealed_result::text, shown_once from idempotency_key
 where organization_id = $1 and person_id = $2 and key = $3 and at > clock_timestamp() - interval '1 day'`;

const FORGET = `delete from idempotency_key where organization_id = $1 and at < $2::timestamptz - interval '1 day'`;

const REMEMBER = `
insert into idempotency_key (organization_id, person_id, key, digest, revision, sealed_result, at, shown_once)
values ($1, $2, $3, $4, $5, $6, $7, $8)
on conflict (organization_id, person_id, key) do update set
  digest = excluded.digest, revision = excluded.revision, sealed_result = excluded.sealed_result,
  at = excluded.at, shown_once = excluded.shown_once`;

const storageKey = ({ organizationId, id }: Owner, key: string) => ({
  organizationId,
  column: 'idempotency_key.sealed_result',
  rowId: `${id}|${key}`,
});

function keyReusedError(): Failure {
  return new Failure({
    kind: 'unprocessable',
    code: 'idempotency_key_reused',
    message: 'This Idempotency-Key was used for another request. Repeat that request unchanged, or use a new key.',
  });
}

function alreadyShownError(revision: Revision): Failure {
  return Failure.conflict(
    'shown_once',
    sentence`This request was already executed, as revision ${{ revision }}. The secret in its response is not shown again. Create a new one.`,
  );
}
