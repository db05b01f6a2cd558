// The arguments of Node for the processes of Strata.

/** The default heap limit in megabytes, the same as in the settings of the services. */
export const HEAP_MB = 320;

/** Returns the arguments for a process with these settings. The process itself reports an invalid setting. */
export function nodeArguments({
  STRATA_HEAP_MB: requestedHeapMb = '',
}: Readonly<Record<string, string | undefined>> = {}): string[] {
  const heapMb = /^\d{3,6}$/.test(requestedHeapMb) ? requestedHeapMb : HEAP_MB;
  // Services collect the garbage of their start.
  return ['--enable-source-maps', '--expose-gc', `--max-old-space-size=${heapMb}`];
}
