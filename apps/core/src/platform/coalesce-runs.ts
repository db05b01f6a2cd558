/**
 * Returns a function that runs the work, one run at a time. Calls during a run cause one further run after it. An error
 * ends these runs and is passed to `onError`.
 */
export function coalesceRuns(work: () => Promise<void>, onError: (error: unknown) => void): () => Promise<void> {
  let isRunning = false;
  let isCalled = false;
  return async () => {
    isCalled = true;
    if (isRunning) return;
    isRunning = true;
    try {
      while (isCalled) {
        isCalled = false;
        await work();
      }
    } catch (error) {
      onError(error);
    } finally {
      isRunning = false;
    }
  };
}
