import type { AuditAction, EventType, Named, ObjectType } from '@strata/domain';

/** What happened to one object, and where. There is no field for a value, so no value can get into the ledger. */
export interface Change {
  /** One of the twelve events, or null for a change that nobody subscribes to. */
  readonly eventType: EventType | null;
  readonly action: AuditAction;
  readonly objectType: ObjectType;
  readonly object: Named;
  readonly project?: Named;
  readonly environment?: Named;
  readonly parameter?: Named;
  /** Of a changeset: which of its operations did it, by their places in the request. */
  readonly operations?: readonly number[];
}
