import { parentPort } from 'node:worker_threads';
import { RE2JS } from 're2js';

/** Said once, when the thread can be given work: starting it is not the pattern's fault. */
export const READY = 'ready';

/** One pattern and the texts that are held against it. */
export interface PatternTask {
  readonly pattern: string;
  readonly texts: readonly string[];
}

// A thread of its own, so that whoever waits for a slow match can end it. It has no settings, no database and no network.
parentPort?.on('message', ({ pattern, texts }: PatternTask) => {
  const compiled = RE2JS.compile(pattern);
  for (const text of texts) parentPort?.postMessage(compiled.matcher(text).lookingAt());
});

parentPort?.postMessage(READY);
