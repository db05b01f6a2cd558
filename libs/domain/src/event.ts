/** The twelve things that a chat channel can hear of, and whoever follows the feed (service description, "Events"). */
export const EVENT_TYPES = [
  'parameter_created',
  'parameter_updated',
  'parameter_deleted',
  'project_created',
  'project_updated',
  'project_deleted',
  'environment_created',
  'environment_updated',
  'environment_deleted',
  'value_created',
  'value_updated',
  'value_deleted',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

const FURTHER_NOUNS = [
  'type',
  'template',
  'tag',
  'organization',
  'membership',
  'invitation',
  'group',
  'grant',
  'service_account',
  'webhook',
] as const;
export type FurtherNoun = (typeof FURTHER_NOUNS)[number];

const PAST = ['created', 'updated', 'deleted'] as const;
export type FurtherEventType = `${FurtherNoun}_${(typeof PAST)[number]}`;

/** What else happens: only who names it hears of it, and no chat channel does. */
export const FURTHER_EVENT_TYPES: readonly FurtherEventType[] = FURTHER_NOUNS.flatMap((noun) =>
  PAST.map((past) => `${noun}_${past}` as const),
);

/** Everything that the feed can tell. */
export type FeedEventType = EventType | FurtherEventType;
export const FEED_EVENT_TYPES: readonly FeedEventType[] = [...EVENT_TYPES, ...FURTHER_EVENT_TYPES];

const TWELVE: ReadonlySet<string> = new Set(EVENT_TYPES);

/** Whether who asks for these kinds is told of this one: of the twelve when they name none. */
export function isWantedType(type: FeedEventType, wanted: readonly FeedEventType[] | null | undefined): boolean {
  return wanted ? wanted.includes(type) : TWELVE.has(type);
}

export const CHANGE_ACTIONS = ['create', 'update', 'delete'] as const;
export type ChangeAction = (typeof CHANGE_ACTIONS)[number];

/** An object and the name it had when the change was made. */
export interface Named {
  readonly id: string;
  readonly name: string;
}

/** What the feed tells of: the same for every kind of change. */
export interface FeedEvent extends Omit<ConfigurationEvent, 'type'> {
  readonly type: FeedEventType;
}

/** A change as subscribers and chat channels see it: what, where, who and when, never a value. */
export interface ConfigurationEvent {
  /** Opaque position; hand it back to continue after this event. */
  readonly cursor: string;
  readonly type: EventType;
  readonly action: ChangeAction;
  readonly revision: number;
  /** RFC 3339, UTC, microseconds. */
  readonly at: string;
  readonly actor: Named & { readonly type: string };
  readonly object: Named & { readonly type: string };
  readonly project: Named | null;
  readonly environment: Named | null;
  readonly parameter: Named | null;
  /** The changeset that it was part of, by its revision. */
  readonly changeset: number;
  /** Why that was made, as far as somebody said. */
  readonly message: string | null;
}
