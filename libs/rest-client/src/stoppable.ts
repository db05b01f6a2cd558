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
  const stopped = new Promise<IteratorResult<T, void>>((resolve) => {
    if (signal.aborted) resolve(end);
    else signal.addEventListener('abort', () => resolve(end), { once: true });
  });
  const stop = async (): Promise<IteratorResult<T, void>> => {
    abort.abort();
    return end;
  };
  return {
    async next() {
      if (signal.aborted) return end;
      const next = source.next().catch((error: unknown) => {
        if (signal.aborted) return end;
        throw error;
      });
      return Promise.race([next, stopped]);
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
