/** The rounds of the event loop between two turns of long work. A request that needs no waiting takes about as many. */
const ROUNDS_BETWEEN = 4;

type Resume = () => void;

/**
 * Schedules long work on the main thread. Tasks run in turns, one at a time, with room for short requests in between.
 * Their holders, which are organizations or addresses, alternate. So an organization that writes sixty responses gets as
 * much time as one that writes a single response.
 */
export class CpuTurns {
  private readonly waiting = new Map<string | null, Resume[]>();
  private isScheduled = false;

  /** Resolves when the task may continue for some milliseconds. Pass null for work of the service itself. */
  next(holder: string | null): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const queue = this.waiting.get(holder);
    if (queue) queue.push(resolve);
    else this.waiting.set(holder, [resolve]);
    if (!this.isScheduled) {
      this.isScheduled = true;
      this.schedule(ROUNDS_BETWEEN);
    }
    return promise;
  }

  private schedule(rounds: number): void {
    setImmediate(() => {
      if (rounds > 1) this.schedule(rounds - 1);
      else this.resumeNext();
    });
  }

  private resumeNext(): void {
    const [first] = this.waiting;
    if (!first) {
      this.isScheduled = false;
      return;
    }
    const [holder, queue] = first;
    this.waiting.delete(holder);
    const resume = queue.shift();
    if (queue.length > 0) this.waiting.set(holder, queue);
    resume?.();
    this.schedule(ROUNDS_BETWEEN);
  }
}
