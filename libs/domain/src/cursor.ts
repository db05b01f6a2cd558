import { checkDigits } from './check-digits.ts';
import { isUuid, type Revision, type Uuid } from './ids.ts';

/** A position in the feed of one organization, directly after the change `ordinal` of the revision `revision`. */
export interface Position {
  /** Changes when history is replaced, for instance by a restored backup. Cursors of other epochs are invalid. */
  readonly epoch: Uuid;
  readonly revision: Revision;
  /** The number of the change within its revision. */
  readonly ordinal: number;
}

/**
 * `c1` is the version of the format. Numbers are in base 36 without leading zeros. All characters are safe in a URL and
 * a header.
 */
const FORM = /^(c1\.([0-9a-f]{32})\.(0|[1-9a-z][0-9a-z]{0,10})\.(0|[1-9a-z][0-9a-z]{0,10}))\.([0-9a-f]{8})$/;
const LENGTH_MAX = 128;

/**
 * Returns the cursor that clients send to continue. The check digits detect a truncated or mistyped cursor. They are
 * not a signature: a made-up cursor reveals nothing, because every event is authorized before it is sent.
 */
export function encodeCursor({ epoch, revision, ordinal }: Position): string {
  if (!isUuid(epoch)) throw new Error(`Epoch ${epoch} is not a UUID.`);
  if (!isCount(revision) || !isCount(ordinal)) throw new Error(`There is no position ${revision}, ${ordinal}.`);
  const body = `c1.${epoch.toLowerCase().replaceAll('-', '')}.${revision.toString(36)}.${ordinal.toString(36)}`;
  return `${body}.${checkDigits(body)}`;
}

/** Returns the position, or null for a text that `encodeCursor` did not write. */
export function decodeCursor(text: string): Position | null {
  const match = text.length <= LENGTH_MAX ? FORM.exec(text) : null;
  if (match === null) return null;
  const [, body = '', hex = '', revisionText = '', ordinalText = '', check] = match;
  if (checkDigits(body) !== check) return null;
  const revision = Number.parseInt(revisionText, 36);
  const ordinal = Number.parseInt(ordinalText, 36);
  if (!isCount(revision) || !isCount(ordinal)) return null;
  return { epoch: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'), revision, ordinal };
}

function isCount(number: number): boolean {
  return Number.isSafeInteger(number) && number >= 0;
}
