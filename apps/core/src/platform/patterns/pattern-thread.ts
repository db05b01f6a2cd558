import { parentPort } from 'node:worker_threads';
import { RE2JS } from 're2js';

/** The thread posts this once, when it accepts work, so that its start does not count as matching time. */
export const READY = 'ready';

/** One pattern and the texts to match it against. */
export interface PatternTask {
  readonly pattern: string;
  readonly texts: readonly string[];
}

// Runs in its own thread, so that the main thread can end a slow match. It has no settings, no database and no network.
parentPort?.on('message', ({ pattern, texts }: PatternTask) => {
  const compiledPattern = RE2JS.compile(pattern);
  for (const text of texts) parentPort?.postMessage(compiledPattern.matcher(text).lookingAt());
});

parentPort?.postMessage(READY);
