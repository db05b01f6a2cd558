/** The result of a check. A revision is skipped if it cannot be checked. */
export type CheckResult = 'good' | 'bad' | 'skip';

/** The configuration that is searched. Revisions with equal values have the same state. */
interface Bisected {
  /** Returns what identifies the values at a revision. */
  stateAt(revision: number): Promise<string>;
  check(revision: number): Promise<CheckResult>;
}

/**
 * Returns the first bad revision between a good and a bad one, or all that can be it if skipped revisions leave several.
 * Values that were checked once are not checked again.
 */
export async function bisect(good: number, bad: number, { stateAt, check }: Bisected): Promise<readonly number[]> {
  const results = new Map<string, CheckResult>([
    [await stateAt(good), 'good'],
    [await stateAt(bad), 'bad'],
  ]);
  const resultAt = async (revision: number): Promise<CheckResult> => {
    const state = await stateAt(revision);
    const result = results.get(state) ?? (await check(revision));
    results.set(state, result);
    return result;
  };
  let [low, high] = [good, bad];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const result = await resultAt(middle);
    if (result === 'skip') return amongChanges(await changesBetween(low, high, stateAt), resultAt);
    if (result === 'good') low = middle;
    else high = middle;
  }
  return [high];
}

/** Searches revisions that changed the values, the last of which is bad. Skipped ones are passed over. */
async function amongChanges(
  changes: readonly number[],
  resultAt: (revision: number) => Promise<CheckResult>,
): Promise<readonly number[]> {
  let left = changes;
  const skipped = new Set<number>();
  for (;;) {
    const open = left.slice(0, -1).filter((revision) => !skipped.has(revision));
    const revision = open[Math.floor(open.length / 2)];
    if (revision === undefined) return left;
    const result = await resultAt(revision);
    if (result === 'skip') skipped.add(revision);
    else left = left.filter((candidate) => (result === 'good' ? candidate > revision : candidate <= revision));
  }
}

/** Returns the revisions after `low` until `high` that changed the values. */
async function changesBetween(low: number, high: number, stateAt: Bisected['stateAt']): Promise<readonly number[]> {
  if ((await stateAt(low)) === (await stateAt(high))) return [];
  if (high - low === 1) return [high];
  const middle = Math.floor((low + high) / 2);
  return [...(await changesBetween(low, middle, stateAt)), ...(await changesBetween(middle, high, stateAt))];
}
