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
 * A position in the audit stream of one organization: directly after a change, and after the record `logged` of the
 * access log. Both sequences only grow at their end.
 */
export interface AuditPosition extends Position {
  /** The number of a record of the access log; 0 before the first one. */
  readonly logged: number;
}

/**
 * A position in the stream of one effective configuration. The client has received everything up to `revision`; its
 * values are those of the revision `base`, which is earlier if the configuration could not be evaluated since.
 */
export interface EffectivePosition {
  readonly epoch: Uuid;
  readonly revision: Revision;
  readonly base: Revision;
  /** Hexadecimal digits that identify what the client follows: the configuration, the names, and whether secrets are masked. */
  readonly selection: string;
  /** The first hexadecimal digits of a keyed hash of the values that the client has; empty if it has none. */
  readonly values: string;
}

/**
 * The version of the format, the epoch, and numbers in base 36 without leading zeros. All characters are safe in a URL
 * and a header.
 */
const FORM = /^([a-z]\d)\.([0-9a-f]{32})((?:\.(?:0|[1-9a-z][0-9a-z]{0,10})){2,3})\.([0-9a-f]{8})$/;
const LENGTH_MAX = 128;

/**
 * Returns the cursor that clients send to continue. The check digits detect a truncated or mistyped cursor. They are
 * not a signature: a made-up cursor reveals nothing, because every event is authorized before it is sent.
 */
export function encodeCursor({ epoch, revision, ordinal }: Position): string {
  return encoded('c1', epoch, [revision, ordinal]);
}

/** Returns the position, or null for a text that `encodeCursor` did not write. */
export function decodeCursor(text: string): Position | null {
  const { epoch, counts } = decoded('c1', text) ?? {};
  const [revision, ordinal, ...furtherCounts] = counts ?? [];
  if (epoch === undefined || revision === undefined || ordinal === undefined || furtherCounts.length > 0) return null;
  return { epoch, revision, ordinal };
}

/** Returns the cursor of the audit stream. Its format differs from that of the feed, so neither accepts the other's. */
export function encodeAuditCursor({ epoch, revision, ordinal, logged }: AuditPosition): string {
  return encoded('a1', epoch, [revision, ordinal, logged]);
}

/** Returns the position, or null for a text that `encodeAuditCursor` did not write. */
export function decodeAuditCursor(text: string): AuditPosition | null {
  const { epoch, counts } = decoded('a1', text) ?? {};
  const [revision, ordinal, logOrdinal] = counts ?? [];
  if (epoch === undefined || revision === undefined || ordinal === undefined || logOrdinal === undefined) return null;
  return { epoch, revision, ordinal, logged: logOrdinal };
}

const EFFECTIVE_FORM = /^(.+)\.([0-9a-f]{16})\.((?:[0-9a-f]{16})?)$/;

/** Returns the cursor of the stream of an effective configuration. No other stream accepts it. */
export function encodeEffectiveCursor({ epoch, revision, base, selection, values }: EffectivePosition): string {
  return `${encoded('e1', epoch, [revision, base])}.${selection}.${values}`;
}

/** Returns the position, or null for a text that `encodeEffectiveCursor` did not write. */
export function decodeEffectiveCursor(text: string): EffectivePosition | null {
  const [, start = '', selection = '', values = ''] = EFFECTIVE_FORM.exec(text) ?? [];
  const { epoch, counts } = decoded('e1', start) ?? {};
  const [revision, base, ...furtherCounts] = counts ?? [];
  if (epoch === undefined || revision === undefined || base === undefined || furtherCounts.length > 0) return null;
  return base <= revision ? { epoch, revision, base, selection, values } : null;
}

function encoded(version: string, epoch: Uuid, counts: readonly number[]): string {
  if (!isUuid(epoch)) throw new Error(`Epoch ${epoch} is not a UUID.`);
  if (!counts.every(isCount)) throw new Error(`There is no position ${counts.join(', ')}.`);
  const numbers = counts.map((count) => count.toString(36));
  const body = [version, epoch.toLowerCase().replaceAll('-', ''), ...numbers].join('.');
  return `${body}.${checkDigits(body)}`;
}

function decoded(version: string, text: string): { readonly epoch: Uuid; readonly counts: readonly number[] } | null {
  const match = text.length <= LENGTH_MAX ? FORM.exec(text) : null;
  if (match === null || match[1] !== version) return null;
  const [, , hex = '', numbers = '', check = ''] = match;
  if (checkDigits(text.slice(0, -check.length - 1)) !== check) return null;
  const counts = numbers
    .split('.')
    .slice(1)
    .map((digits) => Number.parseInt(digits, 36));
  if (!counts.every(isCount)) return null;
  return { epoch: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'), counts };
}

function isCount(number: number): boolean {
  return Number.isSafeInteger(number) && number >= 0;
}
