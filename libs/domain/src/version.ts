import { isUuid } from './ids.ts';
import { parseInstant } from './moment.ts';

/** What tells the versions of an object apart. */
interface Versioned {
  readonly ledger_id?: string | undefined;
  readonly modified_at?: string | null | undefined;
}

/**
 * What a write that overwrites an object expects of it: its `ledger_id`, or when it was last changed, where it has no history of
 * its own. No two writes in one organization have the same instant.
 */
export function versionOf({ ledger_id: ledgerId, modified_at: modifiedAt }: Versioned): string | null {
  return ledgerId ?? modifiedAt ?? null;
}

/** A version as somebody gives it back; null where it is none of any object. */
export function parseVersion(text: string): string | null {
  return isUuid(text) ? text.toLowerCase() : parseInstant(text);
}
