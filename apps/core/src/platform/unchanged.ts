import { isDeepStrictEqual } from 'node:util';

/** Returns whether a row already has every value of a change. */
export function isUnchanged<Row extends object>(currentRow: Row, changedRow: Partial<Row>): boolean {
  return Object.entries(changedRow).every(([key, value]) => isDeepStrictEqual(currentRow[key as keyof Row], value));
}
