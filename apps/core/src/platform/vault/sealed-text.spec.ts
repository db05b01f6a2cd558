import { randomBytes } from 'node:crypto';
import { IntegrityError } from './root-key.ts';
import {
  createDataKey,
  type OpeningKeys,
  openValue,
  SealedValue,
  sealNumbered,
  sealUnnumbered,
} from './sealed-text.ts';

const cell = { organizationId: 'one', column: 'value.sealed', rowId: 'row' };
const UPGRADED_AT = Date.UTC(2026, 10, 1);
const [first, second] = [
  createDataKey(1, randomBytes(32), UPGRADED_AT),
  createDataKey(2, randomBytes(32), UPGRADED_AT),
];
const keys: OpeningKeys = {
  unnumbered: randomBytes(32),
  numbered: new Map([
    [1, first],
    [2, second],
  ]),
};

/** Returns what a statement reads from a row with this text and this revision or time. */
function read(stored: Buffer, suffix: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(suffix));
  return Buffer.concat([stored, bytes]);
}

const sealed = (text: string, key = first) => new SealedValue(sealNumbered(key, cell, text), cell, key);
const isRejected = (stored: Buffer, suffix: number, otherCell = cell) => {
  try {
    openValue(keys, otherCell, read(stored, suffix));
    return false;
  } catch (error) {
    return error instanceof IntegrityError;
  }
};

describe('the text of a value', () => {
  it('is read in its revision, with the key that it names', () => {
    for (const key of [first, second])
      expect(openValue(keys, cell, read(sealed('text', key).stored(7), 7))).toBe('text');
  });

  it('is rejected in another revision, row, column or organization, and under the number of another key', () => {
    const stored = sealed('text').stored(7);
    expect(isRejected(stored, 6)).toBe(true);
    expect(isRejected(stored, 8)).toBe(true);
    for (const change of [{ rowId: 'another' }, { column: 'webhook.sealed_token' }, { organizationId: 'other' }])
      expect(isRejected(stored, 7, { ...cell, ...change })).toBe(true);
    const renumbered = Buffer.from(stored);
    renumbered.writeUInt16BE(2, 1);
    expect(isRejected(renumbered, 7)).toBe(true);
    renumbered.writeUInt16BE(3, 1);
    expect(isRejected(renumbered, 7)).toBe(true);
    expect(isRejected(stored, 7)).toBe(false);
  });

  it('is rejected with the code of another version, and after any change of a byte', () => {
    const [earlier, later] = [sealed('earlier').stored(3), sealed('later..').stored(7)];
    expect(isRejected(Buffer.concat([earlier.subarray(0, -16), later.subarray(-16)]), 7)).toBe(true);
    for (let at = 0; at < later.length; at += 1) {
      const changed = Buffer.from(later);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(isRejected(changed, 7)).toBe(true);
    }
  });

  it('of the earlier format is read in rows from before the first data key, and rejected in later ones', () => {
    const stored = sealUnnumbered(keys.unnumbered, cell, 'text');
    expect(openValue(keys, cell, read(stored, UPGRADED_AT))).toBe('text');
    expect(isRejected(stored, UPGRADED_AT + 3_600_000)).toBe(true);
    const withoutNumbers = { ...keys, numbered: new Map() };
    expect(openValue(withoutNumbers, cell, read(stored, UPGRADED_AT + 3_600_000))).toBe('text');
  });
});
