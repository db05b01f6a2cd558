import { FEED_EVENT_TYPES } from '@strata/domain';
import type { Events, FollowMessage } from '@strata/rest-client';
import { BoundedQueue } from './bounded-queue.ts';

/** After this many changes in a row, the feed yields so that sockets can send what was written to them. */
const BURST = 32;

/** The only stream of a credential from the core, shared by all its subscriptions. */
export class SharedFeed {
  private readonly queues = new Set<BoundedQueue>();
  private readonly abort = new AbortController();
  private readonly opened = Promise.withResolvers<string>();
  private position: string | null = null;
  private end: { readonly error: unknown } | null = null;

  constructor(
    private readonly events: Events,
    private readonly onEnd: () => void,
  ) {
    // `join` reports a failed opening. Without a waiting caller it must not count as an unhandled rejection.
    this.opened.promise.catch(() => {});
    void this.run();
  }

  /**
   * Joins the feed: the queue receives all changes after `position`. No other code runs between reading the position
   * and adding the queue. Returns null if aborted before the core is available.
   */
  async join(onOverflow: () => void, signal: AbortSignal): Promise<{ queue: BoundedQueue; position: string } | null> {
    await Promise.race([this.opened.promise, aborted(signal)]);
    if (signal.aborted) return null;
    if (this.end) throw this.end.error;
    const queue = new BoundedQueue(onOverflow);
    this.queues.add(queue);
    return { queue, position: this.position as string };
  }

  leave(queue: BoundedQueue): void {
    queue.close();
    this.queues.delete(queue);
  }

  stop(): void {
    this.abort.abort();
  }

  private async run(): Promise<void> {
    let burst = 0;
    try {
      for await (const message of this.events.follow({ types: FEED_EVENT_TYPES, signal: this.abort.signal })) {
        this.position = messageCursor(message);
        this.send(message);
        this.opened.resolve(this.position);
        burst += 1;
        if (burst % BURST === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      this.finish(new Error('The feed was stopped.'));
    } catch (error) {
      this.finish(error);
    }
  }

  private send(message: FollowMessage): void {
    for (const queue of this.queues) queue.push(message);
  }

  private finish(error: unknown): void {
    this.end = { error };
    this.opened.reject(error);
    for (const queue of this.queues) queue.fail(error);
    this.onEnd();
  }
}

/** Returns the cursor of a message in the feed. */
export function messageCursor(message: FollowMessage): string {
  return message.kind === 'change' ? message.event.cursor : message.cursor;
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
