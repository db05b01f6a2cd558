/** By then, a start has loaded its modules and responded to the first requests. */
const DELAY_MS = 5_000;

/**
 * Returns the memory of a start to the system, once. While modules load, V8 grows the space of new objects to 32 MB, and
 * in a process with few requests it keeps all of them. The collection takes about 0.1 s. It needs `--expose-gc`; without
 * it, the memory stays.
 */
export function collectStartGarbage(): void {
  setTimeout(() => globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' }), DELAY_MS).unref();
}
