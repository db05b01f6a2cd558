import fc from 'fast-check';
import { decodeListCursor, encodeListCursor, isListOf } from './list-cursor.ts';
import { anyCharacter } from './testing/any-character.ts';

const parts = fc.oneof(fc.constant(null), fc.string({ unit: anyCharacter }), fc.uuid());
const keys = fc.array(parts, { minLength: 1, maxLength: 8 });
const PATH = 'projects/0b9f4c5e-1f5a-4f0e-8a43-6f1f4f3b2a10/parameters/';
const CURSOR = encodeListCursor(PATH, ['port', '1b9f4c5e-1f5a-4f0e-8a43-6f1f4f3b2a11']);

describe('list cursors', () => {
  it('round-trip to the key of their row and belong to their list only', () => {
    fc.assert(
      fc.property(keys, (key) => {
        const position = decodeListCursor(encodeListCursor(PATH, key));
        expect(position?.key).toEqual(key);
        expect(position && [isListOf(position, PATH), isListOf(position, 'projects/')]).toEqual([true, false]);
      }),
    );
  });

  it('need no escaping in a URL', () => {
    fc.assert(fc.property(keys, (key) => expect(encodeListCursor(PATH, key)).toMatch(/^[A-Za-z0-9._-]+$/)));
  });

  it('keep their format, because clients store them across releases', () => {
    expect(CURSOR).toBe('l1.8cdc7b35.WyJwb3J0IiwiMWI5ZjRjNWUtMWY1YS00ZjBlLThhNDMtNmYxZjRmM2IyYTExIl0.a3765372');
  });

  it.each(['/api/v1/%s', 'https://host.example/api/v1/%s', '/api/v1/%s?page_size=3', '%s?after=start'])(
    'identify their list by any form of its path: %s',
    (form) => {
      const position = decodeListCursor(CURSOR);
      expect(position && isListOf(position, form.replace('%s', PATH))).toBe(true);
      expect(position && isListOf(position, form.replace('%s', PATH.toUpperCase()))).toBe(true);
      expect(position && isListOf(position, form.replace('%s', PATH.slice(0, -1)))).toBe(true);
    },
  );

  it('detect any single changed character', () => {
    fc.assert(
      fc.property(fc.nat(CURSOR.length - 1), fc.constantFrom(...'abcdefXYZ0189._-'), (at, character) => {
        fc.pre(CURSOR[at] !== character);
        expect(decodeListCursor(CURSOR.slice(0, at) + character + CURSOR.slice(at + 1))).toBeNull();
      }),
    );
  });

  it.each(['', 'start', 'l1', 'c1.x', `${CURSOR} `, CURSOR.slice(0, -1), 'x'.repeat(20_000)])('are not %p', (text) => {
    expect(decodeListCursor(text)).toBeNull();
  });
});
