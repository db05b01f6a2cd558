import { POST_TIMEOUT_MS } from '@strata/webhooks';

/** Intervals and timeouts in milliseconds. Tests shorten them through dependency injection. */
export class DeliverySettings {
  /**
   * The minimum time between two messages to a channel. The chat service accepts one message per second and channel.
   */
  readonly channelMs: number = 1_000;
  /** The maximum time that a worker waits for a channel. Jobs that would have to wait longer are postponed. */
  readonly waitMs: number = 5_000;
  readonly timeoutMs: number = POST_TIMEOUT_MS;
  /**
   * The duration of a lease, after which another worker takes over. It is longer than any worker needs for one message.
   */
  readonly leaseMs: number = 60_000;
  /** The interval at which jobs that a crashed worker left are searched for. */
  readonly sweepMs: number = 5_000;
  /** The interval at which due jobs are searched for. Workers are also notified of new jobs. */
  readonly pollMs: number = 2_000;
  /** The factor of the retry schedule. 1 is the documented schedule. */
  readonly retryScale: number = 1;
  /**
   * The number of workers for messages per process. Most of the time they wait for a channel or for the chat service, and not for
   * the database.
   */
  readonly concurrency: number = 20;
  /** The number of workers for other jobs per process, such as runs of pushes. They never delay messages. */
  readonly otherConcurrency: number = 10;
}
