import { isUuid } from './ids.ts';
import { parseInstant } from './point-in-time.ts';

/** The fields that identify the version of an object. */
interface Versioned {
  readonly ledger_id?: string | undefined;
  readonly modified_at?: string | null | undefined;
}

/**
 * Returns the version that a write can expect of an object: its `ledger_id`, or its last modification time if it has no
 * history of its own. Two writes of one organization never have the same time.
 */
export function versionOf({ ledger_id: ledgerId, modified_at: modifiedAt }: Versioned): string | null {
  return ledgerId ?? modifiedAt ?? null;
}

/** Parses a version that a client sends; returns null if no object can have it. */
export function parseVersion(text: string): string | null {
  return isUuid(text) ? text.toLowerCase() : parseInstant(text);
}
