import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { isDatabaseUnavailable } from './constraints.ts';

/** The time between two attempts while the database is unavailable. */
const RETRY_INTERVAL_MS = 250;

/**
 * Retries work that no request waits for while the database is unavailable. Without retries, its results would be lost
 * (for example, that a message was sent), and its lease would block other processes.
 */
@Injectable()
export class Retry {
  private readonly ending = new AbortController();

  get isStopped(): boolean {
    return this.ending.signal.aborted;
  }

  /**
   * Retries until the database accepts the work. A broken connection may hide a success, so the work must be safe to
   * repeat.
   */
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
      await sleep(RETRY_INTERVAL_MS, undefined, { signal: this.ending.signal }).catch(() => undefined);
    }
  }

  /** Called at shutdown. From then on, work fails at once if the database is unavailable. */
  end(): void {
    this.ending.abort();
  }
}
