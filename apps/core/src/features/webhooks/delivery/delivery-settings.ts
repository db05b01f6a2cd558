import { POST_TIMEOUT_MS } from '@strata/webhooks';

/** Times in milliseconds; a test shortens them through the injector. */
export class DeliverySettings {
  /** The chat service takes one message a second and channel. */
  readonly channelMs: number = 1_000;
  /** A worker waits this long for a channel; whoever has to wait longer comes back later. */
  readonly waitMs: number = 5_000;
  readonly timeoutMs: number = POST_TIMEOUT_MS;
  /** Longer than a worker can need for one message; after that another one takes over. */
  readonly leaseMs: number = 60_000;
  /** How often we look for what a crashed worker left behind. */
  readonly sweepMs: number = 5_000;
  /** How often a worker looks for what is due; of new work it hears at once. */
  readonly pollMs: number = 2_000;
  /** 1 is the schedule as documented. */
  readonly retryScale: number = 1;
  /** Workers of this process; most of them wait for a channel or for the chat service, not for the database. */
  readonly concurrency: number = 20;
}
