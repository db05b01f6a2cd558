import type { FeedEvent, NamedObject } from '@strata/domain';

/** A value that expires soon, as its reminder names it. */
export interface ReminderValue {
  readonly id: string;
  readonly project: NamedObject;
  readonly environment: NamedObject;
  readonly parameter: NamedObject;
  readonly secret: boolean;
  readonly expires_at: string;
  /** The lead time of the reminder. */
  readonly days: number;
}

export type MessageContent =
  | { readonly kind: 'changes'; readonly events: readonly FeedEvent[] }
  | { readonly kind: 'expirations'; readonly values: readonly ReminderValue[] }
  | { readonly kind: 'test' };

/** A message to a destination. Nothing in it is a value. */
export interface OutgoingMessage {
  /** Stays the same if the message is sent again, so that receivers can recognize it. */
  readonly id: string;
  readonly organizationId: string;
  readonly destination: NamedObject;
  /** When the message was created. */
  readonly at: string;
  readonly content: MessageContent;
}
