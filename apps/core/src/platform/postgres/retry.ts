import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { isDatabaseUnavailable } from './constraints.ts';

/** Between two looks at a database that is away. */
const LOOK_AGAIN_MS = 250;

/**
 * Work that no request waits for outlasts a database that is away: what it alone knows (that a message was sent) would
 * otherwise be lost, and the lease it holds would keep everybody else from going on.
 */
@Injectable()
export class Retry {
  private readonly ending = new AbortController();

  get isStopped(): boolean {
    return this.ending.signal.aborted;
  }

  /** Repeats until the database took it. A broken connection may hide a success, so doing it twice must do no harm. */
  async retryUntilAvailable<T>(
    attempt: () => Promise<T>,
    isPassing: (error: unknown) => boolean = isDatabaseUnavailable,
  ): Promise<T> {
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        if (this.isStopped || !isPassing(error)) throw error;
      }
      await sleep(LOOK_AGAIN_MS, undefined, { signal: this.ending.signal }).catch(() => undefined);
    }
  }

  /** The process stops: from now on a database that is away is an error at once. */
  end(): void {
    this.ending.abort();
  }
}
