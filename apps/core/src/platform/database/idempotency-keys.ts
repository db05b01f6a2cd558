import { Injectable } from '@nestjs/common';
import { Failure, type OrganizationId, type Revision, type UserId, type Uuid } from '@strata/domain';
import { DataSource, type EntityManager } from 'typeorm';
import { Vault } from '../vault/vault.ts';
import { isConnectionLost, outcomeUnknown } from './constraints.ts';
import type { Statement } from './prepared-client.ts';
import { Turns } from './turns.ts';

/** What a caller calls a write, so that sending it again does not do it again. */
export interface IdempotencyKey {
  readonly key: string;
  /** Of the whole request: the same key with anything else is a mistake. */
  readonly digest: Buffer;
}

/** Whose key it is: everybody has their own, in each organization. */
interface Owner {
  readonly id: UserId;
  readonly organizationId: OrganizationId;
}

interface Keyed extends Owner {
  readonly idempotencyKey: IdempotencyKey | null;
}

interface Row {
  readonly digest: Buffer;
  readonly revision: Revision;
  readonly sealed_result: Buffer | null;
  readonly shown_once: boolean;
}

export interface Outcome {
  readonly revision: Revision;
  readonly at: string;
  readonly result: unknown;
  readonly remembered: Remembered;
}

/** Of a write's outcome; `shown_once` is a result that holds what is kept nowhere, such as a new key. */
export type Remembered = 'result' | 'revision' | 'shown_once';

/**
 * Remembers for a day what writes with an `Idempotency-Key` did, in the transaction of the write itself: there is no moment
 * at which one is stored and the other is not. Asked under the head row's lock, so of two requests with the same key the
 * second finds what the first did. Only what changed something is remembered; a refused request may be sent again.
 */
@Injectable()
export class IdempotencyKeys {
  private readonly turns = new Turns();

  constructor(
    private readonly dataSource: DataSource,
    private readonly vault: Vault,
  ) {}

  /** What the request did when it came before; null when it did not, or was refused. */
  async earlier(em: EntityManager, owner: Owner, { key, digest }: IdempotencyKey) {
    const [row] = await em.query<Row[]>(
      `select digest, revision, sealed_result, shown_once from idempotency_key
        where organization_id = $1 and person_id = $2 and key = $3 and at > clock_timestamp() - interval '1 day'`,
      [owner.organizationId, owner.id, key],
    );
    if (!row) return null;
    if (!row.digest.equals(digest)) throw keyReused();
    if (row.shown_once) throw shownBefore(row.revision);
    return { revision: row.revision, result: await this.opened(owner, key, row.sealed_result) };
  }

  /**
   * Makes what is no write of the caller's organization, in a transaction. Answers the id of what the request has made: `fresh`,
   * or another one when it came before.
   */
  async once(
    { idempotencyKey: key, ...owner }: Keyed,
    fresh: Uuid,
    make: (em: EntityManager) => Promise<unknown>,
  ): Promise<Uuid> {
    if (!key) {
      await this.inTransaction(make);
      return fresh;
    }
    const endTurn = await this.turns.take(owner.organizationId);
    try {
      await this.vault.prepare(owner.organizationId);
      return await this.inTransaction(async (em) => {
        const known = await this.taken(em, owner, key, fresh);
        if (known === null) await make(em);
        return known ?? fresh;
      });
    } finally {
      endTurn();
    }
  }

  /** A connection that is lost while COMMIT is on its way does not tell what became of it. */
  private async inTransaction<T>(make: (em: EntityManager) => Promise<T>): Promise<T> {
    let isMade = false;
    try {
      return await this.dataSource.transaction(async (em) => {
        const made = await make(em);
        isMade = true;
        return made;
      });
    } catch (error) {
      throw isMade && isConnectionLost(error) ? outcomeUnknown() : error;
    }
  }

  /** What stands under a key, or null when `id` does from now on. The head row is held for it, as by any write. */
  private async taken(em: EntityManager, owner: Owner, key: IdempotencyKey, id: Uuid): Promise<Uuid | null> {
    const [head] = await em.query<Pick<Outcome, 'revision' | 'at'>[]>(
      'select revision, clock_timestamp() as at from organization_head where organization_id = $1 for update',
      [owner.organizationId],
    );
    if (!head) throw Failure.notFound('Organization');
    const earlier = await this.earlier(em, owner, key);
    if (earlier) return earlier.result as Uuid;
    const { text, values } = await this.remember(owner, key, { ...head, result: id, remembered: 'result' });
    await em.query(text, [...values]);
    return null;
  }

  /** To be sent with the commit. Keys of the organization that are older than a day are forgotten along the way. */
  async remember(owner: Owner, { key, digest }: IdempotencyKey, outcome: Outcome): Promise<Statement> {
    const { revision, at, result, remembered } = outcome;
    const kept = remembered === 'result' ? result : undefined;
    return {
      text: `with forgotten as (
         delete from idempotency_key where organization_id = $1 and at < $7::timestamptz - interval '1 day')
       insert into idempotency_key (organization_id, person_id, key, digest, revision, sealed_result, at, shown_once)
       values ($1, $2, $3, $4, $5, $6, $7, $8)
       on conflict (organization_id, person_id, key) do update set
         digest = excluded.digest, revision = excluded.revision, sealed_result = excluded.sealed_result,
         at = excluded.at, shown_once = excluded.shown_once`,
      values: [
        owner.organizationId,
        owner.id,
        key,
        digest,
        revision,
        kept === undefined ? null : await this.vault.seal(placeOf(owner, key), JSON.stringify(kept)),
        at,
        remembered === 'shown_once',
      ],
    };
  }

  private async opened(owner: Owner, key: string, sealed: Buffer | null): Promise<unknown> {
    return sealed === null ? undefined : JSON.parse(await this.vault.open(placeOf(owner, key), sealed));
  }
}

const placeOf = ({ organizationId, id }: Owner, key: string) => ({
  organizationId,
  column: 'idempotency_key.sealed_result',
  rowId: `${id}|${key}`,
});

function keyReused(): Failure {
  return new Failure(
    'unprocessable',
    'idempotency_key_reused',
    'This Idempotency-Key came with another request before. Send that one again unchanged, or use a new key.',
  );
}

function shownBefore(revision: Revision): Failure {
  return Failure.conflict(
    'shown_once',
    `This request was carried out before, as revision ${revision}. The secret that it showed is not shown again: make a new one.`,
  );
}
