/** The twelve event types that chat channels and feed subscribers can receive (service description, "Events"). */
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
  'destination',
  'rotation',
  'access_request',
] as const;
export type NonContractNoun = (typeof FURTHER_NOUNS)[number];

const PAST = ['created', 'updated', 'deleted'] as const;
export type NonContractEventType = `${NonContractNoun}_${(typeof PAST)[number]}`;

/** Event types beyond the contract's twelve. Only subscribers that name them receive them; chat channels never do. */
const FURTHER_EVENT_TYPES: readonly NonContractEventType[] = FURTHER_NOUNS.flatMap((noun) =>
  PAST.map((verb) => `${noun}_${verb}` as const),
);

/** Every event type of the feed. */
export type FeedEventType = EventType | NonContractEventType;
export const FEED_EVENT_TYPES: readonly FeedEventType[] = [...EVENT_TYPES, ...FURTHER_EVENT_TYPES];

const TWELVE: ReadonlySet<string> = new Set(EVENT_TYPES);

/**
 * Returns whether a subscriber that requests these types receives an event. Without a list it receives the twelve types
 * of the contract.
 */
export function isRequestedType(
  type: FeedEventType,
  requestedTypes: readonly FeedEventType[] | null | undefined,
): boolean {
  return requestedTypes ? requestedTypes.includes(type) : TWELVE.has(type);
}

export const CHANGE_ACTIONS = ['create', 'update', 'delete'] as const;
export type ChangeAction = (typeof CHANGE_ACTIONS)[number];

/** An object and its name at the time of the change. */
export interface NamedObject {
  readonly id: string;
  readonly name: string;
}

/** An event of the feed. Its type may be one that the contract does not have. */
export interface FeedEvent extends Omit<ConfigurationEvent, 'type'> {
  readonly type: FeedEventType;
}

/**
 * A change as subscribers and chat channels receive it: action, object, scope, author and time. It never contains a
 * value.
 */
export interface ConfigurationEvent {
  /** Opaque position. Send it back to continue after this event. */
  readonly cursor: string;
  readonly type: EventType;
  readonly action: ChangeAction;
  readonly revision: number;
  /** RFC 3339, UTC, microseconds. */
  readonly at: string;
  readonly actor: NamedObject & { readonly type: string };
  readonly object: NamedObject & { readonly type: string };
  readonly project: NamedObject | null;
  readonly environment: NamedObject | null;
  readonly parameter: NamedObject | null;
  /** The revision of the changeset that contains the change. */
  readonly changeset: number;
  /** The message of the changeset, if it has one. */
  readonly message: string | null;
}
