import { isDeepStrictEqual } from 'node:util';

/** Returns whether a row already has every value of a change. */
export function isUnchanged<Row extends object>(current: Row, changed: Partial<Row>): boolean {
  return Object.entries(changed).every(([key, value]) => isDeepStrictEqual(current[key as keyof Row], value));
}
