/**
 * A generator whose `return()` takes effect at once. A plain async generator notices `return()` only at its next
 * `yield`, which on a quiet stream may be never. Aborting, from inside or outside, is a quiet end.
 */
export function stoppable<T>(
  start: (signal: AbortSignal) => AsyncGenerator<T, void, undefined>,
  outside?: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  const abort = new AbortController();
  const signal = outside === undefined ? abort.signal : AbortSignal.any([abort.signal, outside]);
  const source = start(signal);
  const end: IteratorResult<T, void> = { done: true, value: undefined };
  // Those who wait now. A race against one promise of the end would be remembered by that promise, call by call.
  const waiting = new Set<(result: IteratorResult<T, void>) => void>();
  const release = () => {
    for (const resolve of waiting) resolve(end);
    waiting.clear();
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
        waiting.add(resolve);
        source
          .next()
          .then(resolve, (error: unknown) => (signal.aborted ? resolve(end) : reject(error)))
          .finally(() => waiting.delete(resolve));
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
