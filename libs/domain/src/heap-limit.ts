/**
 * V8 adds its young generation to the size that the command line sets: three spaces of at most 16 MB in Node 20 and 22, of 64 MB
 * in Node 24, and of 32 MB in Node 26.
 */
const YOUNG_MB_MAX = 192;

/**
 * Returns what is wrong with the way the process was started, or null if V8 enforces the limit. Only Node's command
 * line can set the limit; a running process cannot lower it.
 */
export function heapLimitProblem(limitBytes: number, heapMb: number): string | null {
  const limitMb = Math.round(limitBytes / 1_048_576);
  if (limitMb <= heapMb + YOUNG_MB_MAX) return null;
  return `This process may let ${limitMb} MB of garbage lie before it collects any. Start it with: node --max-old-space-size=${heapMb} (STRATA_HEAP_MB)`;
}
