import { POST_TIMEOUT_MS } from '@strata/webhooks';

/** Times in milliseconds; tests shorten them through the injector. */
export class DeliverySettings {
  /** The chat service accepts one message per second and channel. */
  readonly channelMs: number = 1_000;
  /** A worker waits this long for a channel; jobs that must wait longer are postponed. */
  readonly waitMs: number = 5_000;
  readonly timeoutMs: number = POST_TIMEOUT_MS;
  /** Longer than any worker needs for one message; after that another worker takes over. */
  readonly leaseMs: number = 60_000;
  /** The interval of the search for jobs that a crashed worker left. */
  readonly sweepMs: number = 5_000;
  /** The interval of the search for due jobs; workers are notified of new jobs at once. */
  readonly pollMs: number = 2_000;
  /** 1 is the documented schedule. */
  readonly retryScale: number = 1;
  /**
   * The number of workers of this process; most of them wait for a channel or for the chat service, not for the
   * database.
   */
  readonly concurrency: number = 20;
}
