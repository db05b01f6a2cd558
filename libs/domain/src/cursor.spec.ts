import fc from 'fast-check';
import { decodeAuditCursor, decodeCursor, encodeAuditCursor, encodeCursor } from './cursor.ts';
import { anyCharacter } from './testing/any-character.ts';

const EPOCH = '0b9f4c5e-1f5a-4f0e-8a43-6f1f4f3b2a10';
const CURSOR = encodeCursor({ epoch: EPOCH, revision: 12, ordinal: 0 });

const counts = fc.oneof(fc.nat(), fc.maxSafeNat(), fc.constant(Number.MAX_SAFE_INTEGER));
const positions = fc.record({ epoch: fc.uuid(), revision: counts, ordinal: counts });

describe('cursors', () => {
  it('round-trip to their position', () => {
    fc.assert(
      fc.property(positions, (position) => {
        expect(decodeCursor(encodeCursor(position))).toEqual(position);
      }),
    );
  });

  it('need no escaping in a URL or a header', () => {
    fc.assert(
      fc.property(positions, (position) => {
        const cursor = encodeCursor(position);
        expect(cursor).toMatch(/^[A-Za-z0-9._~-]+$/);
        expect(encodeURIComponent(cursor)).toBe(cursor);
        expect(cursor.length).toBeLessThan(100);
      }),
    );
  });

  it('keep their format, because clients store them across releases', () => {
    expect(CURSOR).toBe('c1.0b9f4c5e1f5a4f0e8a436f1f4f3b2a10.c.0.4d37365b');
  });

  it('ignore the letter case of the epoch', () => {
    expect(encodeCursor({ epoch: EPOCH.toUpperCase(), revision: 12, ordinal: 0 })).toBe(CURSOR);
  });

  it('detect any single changed character', () => {
    fc.assert(
      fc.property(
        positions,
        fc.nat(),
        fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }),
        (position, n, character) => {
          const cursor = encodeCursor(position);
          const at = n % cursor.length;
          fc.pre(cursor[at] !== character);
          expect(decodeCursor(cursor.slice(0, at) + character + cursor.slice(at + 1))).toBeNull();
        },
      ),
    );
  });

  it('detect truncation and appended text', () => {
    for (let length = 0; length < CURSOR.length; length++) expect(decodeCursor(CURSOR.slice(0, length))).toBeNull();
    expect(decodeCursor(`${CURSOR}0`)).toBeNull();
    expect(decodeCursor(`${CURSOR}\n`)).toBeNull();
  });

  it('have exactly one text per position', () => {
    const parts = fc.tuple(positions, fc.constantFrom('0', '00', '01', '-1', '', 'zzzzzzzzzzz'), fc.boolean());
    fc.assert(
      fc.property(parts, ([position, part, isRevision]) => {
        const [version, epoch, revision, ordinal, check] = encodeCursor(position).split('.');
        const text = [version, epoch, isRevision ? part : revision, isRevision ? ordinal : part, check].join('.');
        const read = decodeCursor(text);
        if (read !== null) expect(encodeCursor(read)).toBe(text);
      }),
    );
  });

  it.each([
    '',
    'now',
    '0',
    'c1',
    '../..',
    CURSOR.toUpperCase(),
    ` ${CURSOR}`,
    CURSOR.replace('c1', 'c2'),
    'x'.repeat(1_000_000),
  ])('are not %j', (text) => expect(decodeCursor(text)).toBeNull());

  it('are rejected if their numbers are not exact, even with the right check digits', () => {
    expect(decodeCursor('c1.0b9f4c5e1f5a4f0e8a436f1f4f3b2a10.zzzzzzzzzzz.0.f5067276')).toBeNull();
  });

  it('are never valid by chance', () => {
    fc.assert(fc.property(fc.string({ unit: anyCharacter }), (text) => expect(decodeCursor(text)).toBeNull()));
  });

  it.each`
    position                                              | because
    ${{ epoch: 'x', revision: 1, ordinal: 0 }}            | ${'the epoch is no UUID'}
    ${{ epoch: EPOCH, revision: -1, ordinal: 0 }}         | ${'revisions are not negative'}
    ${{ epoch: EPOCH, revision: 1.5, ordinal: 0 }}        | ${'revisions are whole'}
    ${{ epoch: EPOCH, revision: 1, ordinal: Number.NaN }} | ${'ordinals are numbers'}
    ${{ epoch: EPOCH, revision: 2 ** 53, ordinal: 0 }}    | ${'revisions are exact'}
  `('are not written when $because', ({ position }) => {
    expect(() => encodeCursor(position)).toThrow();
  });
});

describe('cursors of the audit stream', () => {
  const AUDIT_CURSOR = encodeAuditCursor({ epoch: EPOCH, revision: 12, ordinal: 0, logged: 7 });

  it('round-trip to their position', () => {
    fc.assert(
      fc.property(positions, counts, (position, logOrdinal) => {
        expect(decodeAuditCursor(encodeAuditCursor({ ...position, logged: logOrdinal }))).toEqual({
          ...position,
          logged: logOrdinal,
        });
      }),
    );
  });

  it('keep their format, because clients store them across releases', () => {
    expect(AUDIT_CURSOR).toBe('a1.0b9f4c5e1f5a4f0e8a436f1f4f3b2a10.c.0.7.6fc8c5ee');
  });

  it('are not cursors of the feed, and cursors of the feed are not theirs', () => {
    expect(decodeCursor(AUDIT_CURSOR)).toBeNull();
    expect(decodeAuditCursor(CURSOR)).toBeNull();
  });
});
