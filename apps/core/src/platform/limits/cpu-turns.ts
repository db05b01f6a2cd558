import type { OrganizationId } from '@strata/domain';

/** Between two turns of long work: a request that is answered at once needs about so many rounds of the event loop. */
const ROUNDS_BETWEEN = 4;

type Resume = () => void;

/**
 * The main thread, for work that takes longer than a moment. It goes on in turns, one after the other with room for others
 * in between, however many wait; organizations alternate, so that one with sixty answers to write gets no more than one with a
 * single one.
 */
export class CpuTurns {
  private readonly waiting = new Map<OrganizationId | null, Resume[]>();
  private isScheduled = false;

  /** Resolves when it is time to go on, for some milliseconds. Null is for what the service does on its own account. */
  next(organizationId: OrganizationId | null): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const queue = this.waiting.get(organizationId);
    if (queue) queue.push(resolve);
    else this.waiting.set(organizationId, [resolve]);
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
    const [organizationId, queue] = first;
    this.waiting.delete(organizationId);
    const resume = queue.shift();
    if (queue.length > 0) this.waiting.set(organizationId, queue);
    resume?.();
    this.schedule(ROUNDS_BETWEEN);
  }
}
