import type { AuditAction, EventType, Named, ObjectType } from '@strata/domain';

/** The change of one object, with its scope. It has no field for a value, so no value can get into the ledger. */
export interface Change {
  /** One of the twelve events, or null for a change without an event. */
  readonly eventType: EventType | null;
  readonly action: AuditAction;
  readonly objectType: ObjectType;
  readonly object: Named;
  readonly project?: Named;
  readonly environment?: Named;
  readonly parameter?: Named;
  /** The positions in the request of the changeset's operations that made the change. */
  readonly operations?: readonly number[];
}
