import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Failure, sentence } from '@strata/domain';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';

/** Failures per minute for one e-mail address from one source; further attempts are rejected. */
const PAIR_LIMIT = 10;
/** Failures per minute of one source, or for one e-mail address; further attempts are delayed. */
const FREE_FAILURES = 100;
const DELAY_MS = 50;
const DELAY_MS_MAX = 3_000;
/** The number of stored attempts at which the delay reaches its maximum. Storing more would change nothing. */
const MOMENTS_MAX = FREE_FAILURES + DELAY_MS_MAX / DELAY_MS;
/** Every n-th attempt deletes old attempts. */
const CLEANUP_EVERY = 50;

const RECENT = `array(select moment from unnest(failure.moments) moment where moment > statement_timestamp() - interval '1 minute' order by moment)`;

/**
 * Registers an attempt. $1 is the key. An attempt counts from its start, which also limits parallel attempts: the row
 * lock serializes them.
 */
const BEGIN = `
  with begun as (
    insert into sign_in_failure as failure (key, moments, latest_at)
    values ($1, array[statement_timestamp()], statement_timestamp())
    on conflict (key) do update
       set moments = case when cardinality(${RECENT}) < ${PAIR_LIMIT} then ${RECENT} || statement_timestamp() else ${RECENT} end,
           latest_at = statement_timestamp()
    returning moments)
  select moments[cardinality(moments)] = statement_timestamp() as "isAllowed", statement_timestamp()::text as at,
         ceil(extract(epoch from moments[1] + interval '1 minute' - statement_timestamp()))::int as wait
    from begun`;

/** Counts an attempt for further keys. $1 contains the keys, $2 is the instant of the attempt. */
const ADD = `
  with added as (
    insert into sign_in_failure as failure (key, moments, latest_at)
    select key, array[$2::timestamptz], $2::timestamptz from unnest($1::text[]) key order by key
    on conflict (key) do update
       set moments = (${RECENT} || excluded.moments)[greatest(1, cardinality(${RECENT}) + 2 - ${MOMENTS_MAX}):],
           latest_at = excluded.latest_at
    returning cardinality(moments) as count)
  select max(count)::int as count from added`;

/**
 * Removes an attempt. $1 contains the keys, $2 is the instant of the attempt. All callers lock the rows in the same
 * order to avoid deadlocks.
 */
const TAKE_BACK = `
  with taken as (select key from sign_in_failure where key = any($1::text[]) order by key for update)
  update sign_in_failure failure set moments = array_remove(failure.moments, $2::timestamptz) from taken where failure.key = taken.key`;

const CLEAN_UP = `
  delete from sign_in_failure where key in (
    select key from sign_in_failure where latest_at < statement_timestamp() - interval '5 minutes' limit 1000
       for update skip locked)`;

/**
 * Counts recent failed sign-ins across all core processes. It rejects only attempts for one e-mail address from one
 * source, so that the owner of the address can still sign in from elsewhere. Attempts from many sources, or for many
 * addresses, are delayed.
 */
@Injectable()
export class SignInAttempts {
  private begun = 0;

  constructor(private readonly reader: SnapshotReader) {}

  /**
   * Registers an attempt, and delays it if necessary. Resolves with a function that removes the attempt, for the case
   * that it succeeds. Throws `too_many_attempts`.
   */
  async begin(source: string, email: string): Promise<() => Promise<void>> {
    this.cleanUpSometimes();
    const pair = attemptKey('pair', source, email);
    const [state] = await this.reader.query<{ isAllowed: boolean; at: string; wait: number }>(BEGIN, [pair]);
    if (!state?.isAllowed) throw tooManyAttemptsError(Math.max(1, state?.wait ?? 1));
    const broadKeys = [attemptKey('source', source), attemptKey('email', email)];
    const [failures] = await this.reader.query<{ count: number }>(ADD, [broadKeys, state.at]);
    const delayMs = Math.min(DELAY_MS_MAX, ((failures?.count ?? 0) - FREE_FAILURES) * DELAY_MS);
    if (delayMs > 0) await sleep(delayMs);
    return async () => void (await this.reader.query(TAKE_BACK, [[pair, ...broadKeys], state.at]));
  }

  private cleanUpSometimes(): void {
    this.begun += 1;
    if (this.begun % CLEANUP_EVERY !== 1) return;
    this.reader.query(CLEAN_UP, []).catch(() => undefined); // If this fails, the next cleanup deletes them.
  }
}

const attemptKey = (...parts: readonly string[]): string => hash('sha256', JSON.stringify(parts), 'base64url');

function tooManyAttemptsError(seconds: number): Failure {
  return new Failure({
    kind: 'limited',
    code: 'too_many_attempts',
    message: sentence`Too many failed attempts to sign in. Try again in ${{ seconds }} seconds.`,
    retryAfterSeconds: seconds,
  });
}
