import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Failure } from '@strata/domain';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';

/** Failures per minute for one e-mail address from one machine; more attempts are rejected. */
const PAIR_LIMIT = 10;
/** Failures per minute of one machine, or for one e-mail address; more attempts are delayed. */
const FREE_FAILURES = 100;
const DELAY_MS = 50;
const DELAY_MS_MAX = 3_000;
/** The number of stored attempts that reaches the longest delay; more would change nothing. */
const MOMENTS_MAX = FREE_FAILURES + DELAY_MS_MAX / DELAY_MS;
/** Old attempts are deleted once per this many attempts. */
const CLEANUP_EVERY = 50;

const RECENT = `array(select m from unnest(f.moments) m where m > statement_timestamp() - interval '1 minute' order by m)`;

/**
 * Counts an attempt when it starts, so that parallel attempts are limited, too. The lock of the row makes them wait for
 * each other. Parameter $1: the key.
 */
const BEGIN = `
  with begun as (
    insert into sign_in_failure as f (key, moments, latest_at)
    values ($1, array[statement_timestamp()], statement_timestamp())
    on conflict (key) do update
       set moments = case when cardinality(${RECENT}) < ${PAIR_LIMIT} then ${RECENT} || statement_timestamp() else ${RECENT} end,
           latest_at = statement_timestamp()
    returning moments)
  select moments[cardinality(moments)] = statement_timestamp() as "isAllowed", statement_timestamp()::text as at,
         ceil(extract(epoch from moments[1] + interval '1 minute' - statement_timestamp()))::int as wait
    from begun`;

/** Parameters: $1 keys, $2 the instant. */
const ADD = `
  with added as (
    insert into sign_in_failure as f (key, moments, latest_at)
    select key, array[$2::timestamptz], $2::timestamptz from unnest($1::text[]) key order by key
    on conflict (key) do update
       set moments = (${RECENT} || excluded.moments)[greatest(1, cardinality(${RECENT}) + 2 - ${MOMENTS_MAX}):],
           latest_at = excluded.latest_at
    returning cardinality(moments) as count)
  select max(count)::int as count from added`;

/** Parameters: $1 keys, $2 the instant. All callers lock rows in one order, to avoid deadlocks. */
const TAKE_BACK = `
  with taken as (select key from sign_in_failure where key = any($1::text[]) order by key for update)
  update sign_in_failure f set moments = array_remove(f.moments, $2::timestamptz) from taken where f.key = taken.key`;

const CLEAN_UP = `
  delete from sign_in_failure where key in (
    select key from sign_in_failure where latest_at < statement_timestamp() - interval '5 minutes' limit 1000
       for update skip locked)`;

/**
 * Counts recent sign-in failures across all cores. Only attempts for one e-mail address from one machine are rejected,
 * so that the owner of the address can still sign in from elsewhere. Attempts from many machines, or for many
 * addresses, are delayed.
 */
@Injectable()
export class SignInAttempts {
  private begun = 0;

  constructor(private readonly reader: SnapshotReader) {}

  /**
   * Throws `too_many_attempts`; otherwise resolves, after a delay if needed, with a function that takes the attempt
   * back.
   */
  async begin(source: string, email: string): Promise<() => Promise<void>> {
    this.forgetNowAndThen();
    const pair = keyOf('pair', source, email);
    const [state] = await this.reader.query<{ isAllowed: boolean; at: string; wait: number }>(BEGIN, [pair]);
    if (!state?.isAllowed) throw tooManyAttempts(Math.max(1, state?.wait ?? 1));
    const wide = [keyOf('source', source), keyOf('email', email)];
    const [failures] = await this.reader.query<{ count: number }>(ADD, [wide, state.at]);
    const delayMs = Math.min(DELAY_MS_MAX, ((failures?.count ?? 0) - FREE_FAILURES) * DELAY_MS);
    if (delayMs > 0) await sleep(delayMs);
    return async () => void (await this.reader.query(TAKE_BACK, [[pair, ...wide], state.at]));
  }

  private forgetNowAndThen(): void {
    this.begun += 1;
    if (this.begun % CLEANUP_EVERY !== 1) return;
    this.reader.query(CLEAN_UP, []).catch(() => undefined); // The next attempt deletes them.
  }
}

const keyOf = (...parts: readonly string[]): string => hash('sha256', JSON.stringify(parts), 'base64url');

function tooManyAttempts(seconds: number): Failure {
  return new Failure({
    kind: 'limited',
    code: 'too_many_attempts',
    message: `Too many failed attempts to sign in. Try again in ${seconds} seconds.`,
    retryAfterSeconds: seconds,
  });
}
