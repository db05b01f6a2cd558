import type { FollowMessage } from '@strata/rest-client';

/** Messages held for one subscription that is behind; it bounds what a slow reader costs. */
export const QUEUE_CAPACITY = 256;

/**
 * One subscription's share of a common feed: a bounded queue. What does not fit is not kept; the subscription then
 * fetches it by itself, at its own pace.
 */
export class BoundedQueue {
  private readonly queue: FollowMessage[] = [];
  private wake: (() => void) | null = null;
  private failure: { readonly error: unknown } | null = null;
  private full = false;
  private closed = false;

  constructor(private readonly onOverflow: () => void) {}

  get overflowed(): boolean {
    return this.full;
  }

  push(message: FollowMessage): void {
    if (this.full || this.closed) return;
    if (this.queue.length >= QUEUE_CAPACITY) {
      this.full = true;
      this.queue.length = 0;
      this.onOverflow();
    } else {
      this.queue.push(message);
    }
    this.wake?.();
  }

  fail(error: unknown): void {
    this.failure = { error };
    this.wake?.();
  }

  close(): void {
    this.closed = true;
    this.queue.length = 0;
    this.wake?.();
  }

  /** The next message; null when there will be none from this queue: closed, or overflowed. */
  async next(): Promise<FollowMessage | null> {
    for (;;) {
      const message = this.queue.shift();
      if (message) return message;
      if (this.failure) throw this.failure.error;
      if (this.full || this.closed) return null;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
      this.wake = null;
    }
  }
}
