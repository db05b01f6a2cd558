/**
 * True in `npm run soak` only. Only then do tests check the coverage of their random cases, because a fifth of the
 * cases may by chance cover less.
 */
export const runsAllCases = process.env.STRATA_TEST_CASES === 'all';
const SHARE = 5;

/**
 * Returns how many of its cases a model or property test runs: all of them in `npm run soak`, a fifth in `npm test`. Each
 * run of `npm test` draws other cases.
 */
export function countCases(all: number): number {
  return runsAllCases ? all : Math.ceil(all / SHARE);
}

/** Returns all samples in `npm run soak`, and in `npm test` every fifth from a random one on. */
export function pickSample<T>(all: readonly T[]): readonly T[] {
  if (runsAllCases) return all;
  const first = Math.floor(Math.random() * SHARE);
  return all.filter((_, index) => index % SHARE === first % Math.min(SHARE, all.length));
}
