/** Letter case and punctuation do not count at first level: `redis, TestProject, web` (behaviour.md §1.7). */
const COLLATOR = new Intl.Collator('en', { ignorePunctuation: true });

/**
 * Order of names in every list: ICU `en-u-ka-shifted`, so that it agrees with a database that sorts with that
 * collation. Names that the collation holds equal (`a-b`, `a.b`) are told apart by their code units: a list must
 * not change its order, and a page its content, from one request to the next.
 */
export function compareNames(left: string, right: string): number {
  return COLLATOR.compare(left, right) || compareCodeUnits(left, right);
}

function compareCodeUnits(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
