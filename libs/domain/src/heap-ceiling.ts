/** What V8 adds of its own to the size that it was given: the young generation. */
const YOUNG_MB_MAX = 128;

/**
 * What is wrong with how a process was started, as a sentence; null when V8 keeps to the ceiling. Only Node's command line can
 * set it: a process that runs cannot lower its own.
 */
export function heapTrouble(limitBytes: number, heapMb: number): string | null {
  const limitMb = Math.round(limitBytes / 1_048_576);
  if (limitMb <= heapMb + YOUNG_MB_MAX) return null;
  return `This process may let ${limitMb} MB of garbage lie before it collects any. Start it with: node --max-old-space-size=${heapMb} (STRATA_HEAP_MB)`;
}
