import { Failure } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import { isStatementTimeout } from '../../platform/postgres/constraints.ts';

/** The maximum time for the operations of a changeset. Other writers of the organization wait during this time. */
export const EXECUTION_MS_MAX = 60_000;

/** The same for a plan of a caller who may not write, so that readers cannot stop the writers for long. */
export const ASSUMED_EXECUTION_MS_MAX = 5_000;

/**
 * The additional time for a plan to read the effects of its operations, or for a changeset to compare its effects with
 * the plan.
 */
export const EFFECT_COMPARISON_MS_MAX = 4_000;

/** Thrown to end all steps when other writers have waited long enough. */
export class TimeLimitError extends Error {}

/** Throws if the time is up. Call it before work that may take long. */
export type AssertTime = () => void;

export function createDeadline(milliseconds: number): AssertTime {
  const startedAt = performance.now();
  return () => {
    if (performance.now() - startedAt > milliseconds) throw new TimeLimitError();
  };
}

/** Runs a part of a write with a time limit. The limit also applies to each of its statements. */
export async function withTimeLimit<T>(
  em: EntityManager,
  milliseconds: number,
  work: (assertTime: AssertTime) => Promise<T>,
): Promise<T> {
  const assertTime = createDeadline(milliseconds);
  const defaultTimeout = await limitStatements(em, milliseconds);
  try {
    const result = await work(assertTime);
    assertTime();
    // If an error occurs, the rollback restores the setting.
    await em.query(`set local statement_timeout = ${defaultTimeout}`);
    return result;
  } catch (error) {
    throw isStatementTimeout(error) ? new TimeLimitError() : error;
  }
}

/** Limits the time of each further statement of a write. Returns the limit before this call. */
export async function limitStatements(em: EntityManager, milliseconds: number): Promise<number> {
  const [{ usual } = { usual: 0 }] = await em.query<{ usual: number }[]>(
    `select setting::integer as usual from pg_settings where name = 'statement_timeout'`,
  );
  // Zero means no limit.
  await em.query(`set local statement_timeout = ${usual === 0 ? milliseconds : Math.min(usual, milliseconds)}`);
  return usual;
}

export function tooCostlyError(advice: string): Failure {
  return new Failure({
    kind: 'unprocessable',
    code: 'too_costly',
    message: `The changes take too long while other writes wait. ${advice}`,
  });
}

/** Rejects if the work takes too long. The work itself continues, and its result is discarded. */
export async function rejectAfter<T>(work: Promise<T>, milliseconds: number, advice: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooCostlyError(advice)), milliseconds);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}
