/** The columns of a change in the order of its canonical bytes. A later version of the format may append columns. */
export const CHANGE_COLUMNS = [
  'ordinal',
  'event_type',
  'action',
  'object_type',
  'object_id',
  'object_name',
  'project_id',
  'project_name',
  'environment_id',
  'environment_name',
  'parameter_id',
  'parameter_name',
  'operations',
] as const;

/** The texts of a row, one per column. PostgreSQL writes a list of numbers as `{0,1}`. */
export type ColumnTexts = readonly (string | null | undefined)[];

/** A changeset of a ledger, as it is stored. */
export interface ChangesetRecord {
  readonly organizationId: string;
  readonly revision: number;
  /** In UTC with six digits for the fraction of the second, such as `2026-11-22T10:00:00.000001Z`. */
  readonly at: string;
  readonly actor: { readonly id: string; readonly name: string; readonly type: string };
  readonly surface: string;
  readonly requestId: string;
  readonly message: string | null;
  readonly externalRef: string | null;
  /** In the order of their ordinals, which count from 1. The texts of each are in the order of `CHANGE_COLUMNS`. */
  readonly changes: readonly ColumnTexts[];
}

/** Names the purpose and the version of the bytes, so that nothing else has the same hash. */
const FORMAT = Buffer.from('strata changeset v1\n');
const LENGTH_BYTES = 4;
/** The length that stands for null. PostgreSQL stores no text of this length. */
const NULL_LENGTH = 0xff_ff_ff_ff;

/**
 * Returns the canonical bytes of a changeset: the name of the format, then each text with its length (32 bits, big
 * endian) and its UTF-8 bytes. The number of changes precedes them. Two different changesets never have the same bytes.
 */
export function changesetBytes(record: ChangesetRecord): Buffer {
  const { organizationId, revision, at, actor, surface, requestId, message, externalRef, changes } = record;
  const texts: (string | null | undefined)[] = [
    ...[organizationId, String(revision), at, actor.id, actor.name, actor.type, surface, requestId],
    ...[message, externalRef, String(changes.length)],
  ];
  for (const change of changes) texts.push(...change);
  return lengthPrefixed(texts);
}

function lengthPrefixed(texts: ColumnTexts): Buffer {
  let size = FORMAT.length;
  for (const text of texts) size += LENGTH_BYTES + Buffer.byteLength(text ?? '');
  const bytes = Buffer.allocUnsafe(size);
  let at = FORMAT.copy(bytes);
  for (const text of texts) {
    const length = bytes.write(text ?? '', at + LENGTH_BYTES);
    bytes.writeUInt32BE(typeof text === 'string' ? length : NULL_LENGTH, at);
    at += LENGTH_BYTES + length;
  }
  return bytes;
}
