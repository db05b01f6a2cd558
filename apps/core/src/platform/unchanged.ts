import { isDeepStrictEqual } from 'node:util';

/** Whether a row holds already all that a change would put there. */
export function isUnchanged<Row extends object>(found: Row, changed: Partial<Row>): boolean {
  return Object.entries(changed).every(([key, value]) => isDeepStrictEqual(found[key as keyof Row], value));
}
