// How Node starts a process of Strata: `npm start`, the tests and the bench all ask here. The Dockerfiles, which do not hold this
// file, say the same by themselves, and tools/compose.spec.ts compares.

/** Megabytes; what the services' own settings say by default. */
export const HEAP_MB = 320;

/** For a process that reads these settings; a wrong one is told by the process itself. */
export function nodeArguments({ STRATA_HEAP_MB: given = '' } = {}) {
  const heapMb = /^\d{3,6}$/.test(given) ? given : HEAP_MB;
  return ['--enable-source-maps', `--max-old-space-size=${heapMb}`];
}
