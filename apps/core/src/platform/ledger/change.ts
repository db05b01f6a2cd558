import type { AuditAction, EventType, NamedObject, ObjectType } from '@strata/domain';

/** The change of one object, with its scope. It has no field for a value, so no value can get into the ledger. */
export interface Change {
  /** One of the twelve events, or null for a change without an event. */
  readonly eventType: EventType | null;
  readonly action: AuditAction;
  readonly objectType: ObjectType;
  readonly object: NamedObject;
  readonly project?: NamedObject;
  readonly environment?: NamedObject;
  readonly parameter?: NamedObject;
  /** The operations of the changeset that made this change, by their positions in the request. */
  readonly operations?: readonly number[];
}
