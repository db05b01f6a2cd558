import type { DeliveryAttempt } from '@strata/contract';
import type { DeliveryOutcome, MessageContent } from '@strata/webhooks';

export type FinalOutcome = Exclude<DeliveryOutcome, { kind: 'resend_without_username' }>;

export interface SendResult {
  readonly outcome: FinalOutcome;
  readonly attempts: readonly DeliveryAttempt[];
}

/** A message without its receiver. */
export interface ChannelMessage {
  readonly id: string;
  readonly at: string;
  readonly content: MessageContent;
}

/** How many events a message can contain. */
export interface BatchSize {
  readonly eventsMax: number;
  /** Whether a changeset with more events is split. Otherwise a message contains whole changesets. */
  readonly splitsChangesets: boolean;
}

/** The receiver of the messages of one webhook or destination. */
export interface Channel {
  readonly batchSize: BatchSize;
  /**
   * Whether a message that failed for three days is kept and the channel suspended. Otherwise the next message is sent.
   */
  readonly keepsFailedMessages: boolean;
  /** Returns what the message says, for the list of deliveries. */
  describe(content: MessageContent): string;
  /** Acquires the channel. Returns 0 on success, or the milliseconds until the next attempt. */
  acquire(): Promise<number>;
  send(message: ChannelMessage): Promise<SendResult>;
  /** Stores when the channel may be used again. Call it after every `send`. */
  release(sent: SendResult): Promise<void>;
}
