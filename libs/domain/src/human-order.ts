/** Ignores letter case and punctuation at the first level: `redis, TestProject, web` (behaviour.md §1.7). */
const COLLATOR = new Intl.Collator('en', { ignorePunctuation: true });

/**
 * Compares names in the order of every list: ICU `en-u-ka-shifted`, the collation that the database sorts with. Names
 * that are equal in this collation (`a-b`, `a.b`) are ordered by code units, so that lists and pages are stable between
 * requests.
 */
export function compareNames(left: string, right: string): number {
  return COLLATOR.compare(left, right) || compareCodeUnits(left, right);
}

function compareCodeUnits(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
