import type { FollowMessage } from '@strata/rest-client';

/** The queue length of a subscription that is behind. It limits the memory that a slow reader uses. */
export const QUEUE_CAPACITY = 256;

/**
 * One subscription's queue of messages from a shared feed. Messages that do not fit are dropped; the subscription then
 * fetches them itself, at its own pace.
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

  /** Returns the next message, or null if the queue was closed or has overflowed. */
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
