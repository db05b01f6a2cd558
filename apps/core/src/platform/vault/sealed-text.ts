import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { IntegrityError, openBytes, sealBytes } from './root-key.ts';

/*
 * Encrypted texts. The first byte is the format. Format 1 is nonce, tag and ciphertext, and names no key. Format 2 is the
 * number of the data key, a random version id, and the same as format 1. The text of a value also has a code over its
 * version and its revision, which is written once the revision is known.
 */

const FORMAT = { unnumbered: 1, numbered: 2 } as const;
const NUMBER_BYTES = 2;
const VERSION_BYTES = 16;
const CODE_BYTES = 16;
const HEADER_BYTES = 1 + NUMBER_BYTES + VERSION_BYTES;
/** The length of what a read appends to the text of a value: see `readSealed`. */
const SUFFIX_BYTES = 8;

/** The cell that stores sealed bytes. The bytes cannot be opened in any other context. */
export interface SealedCell {
  readonly organizationId: string;
  /** `<table>.<column>` */
  readonly column: string;
  readonly rowId: string;
}

export const VALUE_COLUMN = 'value.sealed';

/** A key that encrypts texts of an organization. */
export interface DataKey {
  readonly number: number;
  readonly key: Buffer;
  /** The key of the codes over versions and revisions. */
  readonly codeKey: Buffer;
  /** From this time on, in milliseconds since 1970, texts of format 1 are not written any more. */
  readonly sealsFrom: number;
}

/** The keys that open the texts of an organization. */
export interface OpeningKeys {
  /** The key of format 1. */
  readonly unnumbered: Buffer;
  readonly numbered: ReadonlyMap<number, DataKey>;
}

/** Cores load new keys within three minutes. A write may wait for another two minutes after it was encrypted. */
const LAST_UNNUMBERED_MS = 600_000;

/**
 * Returns SQL that reads the encrypted text of a value, followed by its revision, or for format 1 by its time. Every
 * statement that reads encrypted texts of values uses it.
 */
export const readSealed = (row: string): string =>
  `(${row}.sealed || int8send(case get_byte(${row}.sealed, 0) when ${FORMAT.unnumbered} then (extract(epoch from ${row}.modified_at) * 1000)::bigint else ${row}.revision end))`;

export function createDataKey(number: number, key: Buffer, sealsFrom: number): DataKey {
  return { number, key, sealsFrom, codeKey: createHmac('sha256', key).update('strata|v2|revision').digest() };
}

/** Encrypts a text with a numbered key. */
export function sealNumbered({ number, key }: DataKey, cell: SealedCell, text: string): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header[0] = FORMAT.numbered;
  header.writeUInt16BE(number, 1);
  randomBytes(VERSION_BYTES).copy(header, 1 + NUMBER_BYTES);
  return Buffer.concat([header, sealBytes(key, authenticatedContext(cell, header), Buffer.from(text))]);
}

export const sealUnnumbered = (key: Buffer, cell: SealedCell, text: string): Buffer =>
  sealBytes(key, authenticatedContext(cell, null), Buffer.from(text));

/** Throws IntegrityError if the text was altered, belongs to another cell, or its key does not exist. */
export function openSealed(keys: OpeningKeys, cell: SealedCell, sealedText: Buffer): string {
  if (sealedText[0] !== FORMAT.numbered)
    return openBytes(keys.unnumbered, authenticatedContext(cell, null), sealedText).toString();
  const header = sealedText.subarray(0, HEADER_BYTES);
  const { key } = requireKey(keys, sealedText);
  return openBytes(key, authenticatedContext(cell, header), sealedText.subarray(HEADER_BYTES)).toString();
}

/**
 * Opens the text of a value as `readSealed` returns it. Throws IntegrityError, too, if the text is of another revision of
 * the row, or has a format that was not written any more at its time.
 */
export function openValue(keys: OpeningKeys, cell: SealedCell, read: Buffer): string {
  if (read.length <= SUFFIX_BYTES) throw new IntegrityError('The encrypted text is cut off.');
  const column = read.subarray(0, -SUFFIX_BYTES);
  const suffix = read.readBigInt64BE(column.length);
  if (read[0] !== FORMAT.numbered) {
    const sealsFrom = keys.numbered.get(1)?.sealsFrom ?? Number.POSITIVE_INFINITY;
    if (Number(suffix) > sealsFrom + LAST_UNNUMBERED_MS)
      throw new IntegrityError('The encrypted text has an earlier format than its row.');
    return openSealed(keys, cell, column);
  }
  if (column.length <= HEADER_BYTES + CODE_BYTES) throw new IntegrityError('The encrypted text is cut off.');
  const sealedText = column.subarray(0, -CODE_BYTES);
  const code = revisionCode(requireKey(keys, sealedText), cell, sealedText, suffix);
  if (!timingSafeEqual(code, column.subarray(-CODE_BYTES)))
    throw new IntegrityError('The encrypted text is of another revision.');
  return openSealed(keys, cell, sealedText);
}

/** Returns whether the text of a value can be decrypted. Never returns the text, so that nothing has to be recorded. */
export function isReadable(keys: OpeningKeys, organizationId: string, rowId: string, read: Buffer): boolean {
  try {
    openValue(keys, { organizationId, column: VALUE_COLUMN, rowId }, read);
    return true;
  } catch (error) {
    if (error instanceof IntegrityError) return false;
    throw error;
  }
}

/** The encrypted text of a value that is to be stored. */
export class SealedValue {
  constructor(
    private readonly sealedText: Buffer,
    private readonly cell: SealedCell,
    /** The key of the code over the revision. Null if the text has format 1, which has no code. */
    private readonly dataKey: DataKey | null,
  ) {}

  /** Returns the bytes to store in a row of this revision. */
  stored(revision: number): Buffer {
    if (!this.dataKey) return this.sealedText;
    return Buffer.concat([this.sealedText, revisionCode(this.dataKey, this.cell, this.sealedText, BigInt(revision))]);
  }

  /** Returns the bytes as a statement reads them back, in the form of the driver. */
  read(revision: number, at: string): string {
    const suffix = Buffer.alloc(SUFFIX_BYTES);
    suffix.writeBigInt64BE(BigInt(this.dataKey ? revision : Date.parse(at)));
    return `\\x${Buffer.concat([this.stored(revision), suffix]).toString('hex')}`;
  }
}

function requireKey({ numbered }: OpeningKeys, sealedText: Buffer): DataKey {
  const key = sealedText.length > HEADER_BYTES ? numbered.get(sealedText.readUInt16BE(1)) : undefined;
  if (!key) throw new IntegrityError('The data key of the encrypted text does not exist.');
  return key;
}

function revisionCode({ codeKey }: DataKey, cell: SealedCell, sealedText: Buffer, revision: bigint): Buffer {
  const version = sealedText.subarray(0, HEADER_BYTES);
  const context = `${authenticatedContext(cell, version)}|${revision}`;
  return createHmac('sha256', codeKey).update(context).digest().subarray(0, CODE_BYTES);
}

function authenticatedContext({ organizationId, column, rowId }: SealedCell, header: Buffer | null): string {
  if (!header) return `strata|v1|${organizationId}|${column}|${rowId}`;
  return `strata|v2|${organizationId}|${column}|${rowId}|${header.toString('hex')}`;
}
