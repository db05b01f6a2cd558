/** The twelve things a chat channel or a subscriber can hear of (service description, "Events"). */
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

export const CHANGE_ACTIONS = ['create', 'update', 'delete'] as const;
export type ChangeAction = (typeof CHANGE_ACTIONS)[number];

/** An object and the name it had when the change was made. */
export interface Named {
  readonly id: string;
  readonly name: string;
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
