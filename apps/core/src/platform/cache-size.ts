import { getHeapStatistics } from 'node:v8';

/** From here on there is room for all that is worth keeping; V8 counts its young generation in. */
const ROOMY_HEAP_BYTES = 800 * 1_048_576;

/** How much of what can be found again may be kept at hand: all that is worth keeping, or less where the process may use little. */
export function cacheBytes(megabytes: number): number {
  const share = Math.min(1, getHeapStatistics().heap_size_limit / ROOMY_HEAP_BYTES);
  return Math.round(megabytes * 1_048_576 * share);
}
