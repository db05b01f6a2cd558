import { Failure } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import { isStatementTimeout } from '../../platform/postgres/constraints.ts';

/** The time that the operations of a changeset may take. Other writers of the organization wait for it. */
export const EXECUTION_MS_MAX = 60_000;

/** The additional time for a plan to read the effects of its operations, or for a changeset to compare them with its plan. */
export const INSPECTION_MS_MAX = 4_000;

/** Others have waited long enough. No verdict on a step, so it ends all of them. */
export class HeldTooLong extends Error {}

/** What is asked before anything that may take its time: throws once that has passed. */
export type AssertTime = () => void;

export function deadline(milliseconds: number): AssertTime {
  const began = performance.now();
  return () => {
    if (performance.now() - began > milliseconds) throw new HeldTooLong();
  };
}

/** Part of a write that may hold up others for so long: no statement of it takes longer either. */
export async function withinTime<T>(
  em: EntityManager,
  milliseconds: number,
  work: (assertTime: AssertTime) => Promise<T>,
): Promise<T> {
  const assertTime = deadline(milliseconds);
  const usual = await limitStatements(em, milliseconds);
  try {
    const result = await work(assertTime);
    assertTime();
    // what fails is undone, and this with it
    await em.query(`set local statement_timeout = ${usual}`);
    return result;
  } catch (error) {
    throw isStatementTimeout(error) ? new HeldTooLong() : error;
  }
}

/** From here on no statement of a write takes longer, nor longer than usual. Answers what is usual. */
export async function limitStatements(em: EntityManager, milliseconds: number): Promise<number> {
  const [{ usual } = { usual: 0 }] = await em.query<{ usual: number }[]>(
    `select setting::integer as usual from pg_settings where name = 'statement_timeout'`,
  );
  // zero is without end
  await em.query(`set local statement_timeout = ${usual === 0 ? milliseconds : Math.min(usual, milliseconds)}`);
  return usual;
}

export function tooCostly(smaller: string): Failure {
  return new Failure({
    kind: 'unprocessable',
    code: 'too_costly',
    message: `To look at all that this would change takes too long while others wait. ${smaller}`,
  });
}

/** Rejects when the work takes too long. The work itself continues in memory, and its result is dropped. */
export async function inTime<T>(work: Promise<T>, milliseconds: number, smaller: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooCostly(smaller)), milliseconds);
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}
