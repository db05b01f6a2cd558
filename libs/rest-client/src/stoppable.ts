/**
 * Wraps a generator so that `return()` takes effect immediately. A plain async generator handles `return()` only at its
 * next `yield`, which may never come on a quiet stream. An abort, from inside or outside, ends the generator normally.
 */
export function stopOnAbort<T>(
  start: (signal: AbortSignal) => AsyncGenerator<T, void, undefined>,
  callerSignal?: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  const abort = new AbortController();
  const signal = callerSignal === undefined ? abort.signal : AbortSignal.any([abort.signal, callerSignal]);
  const source = start(signal);
  const end: IteratorResult<T, void> = { done: true, value: undefined };
  // The pending calls. A race against one shared promise would leak, because that promise would keep a reference to
  // each call.
  const waitingReaders = new Set<(result: IteratorResult<T, void>) => void>();
  const release = () => {
    for (const resolve of waitingReaders) resolve(end);
    waitingReaders.clear();
  };
  signal.addEventListener('abort', release, { once: true });
  const stop = async (): Promise<IteratorResult<T, void>> => {
    abort.abort();
    return end;
  };
  return {
    next() {
      if (signal.aborted) return Promise.resolve(end);
      return new Promise((resolve, reject) => {
        waitingReaders.add(resolve);
        source
          .next()
          .then(resolve, (error: unknown) => (signal.aborted ? resolve(end) : reject(error)))
          .finally(() => waitingReaders.delete(resolve));
      });
    },
    return: stop,
    async throw(error: unknown) {
      await stop();
      throw error;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
    async [Symbol.asyncDispose]() {
      await stop();
    },
  };
}
