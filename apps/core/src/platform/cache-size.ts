import { getHeapStatistics } from 'node:v8';

/** From this heap size on, every cache gets its full size. V8 includes its young generation in the heap size. */
const ROOMY_HEAP_BYTES = 800 * 1_048_576;

/** Returns the size of a cache: the given size, or proportionally less if the process has a small heap. */
export function cacheBytes(megabytes: number): number {
  const share = Math.min(1, getHeapStatistics().heap_size_limit / ROOMY_HEAP_BYTES);
  return Math.round(megabytes * 1_048_576 * share);
}
