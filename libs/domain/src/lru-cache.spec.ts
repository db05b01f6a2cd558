import { LruCache } from './lru-cache.ts';

/** With its key and the overhead, a text of 743 characters takes 1,000 bytes. */
const text = (character: string) => character.repeat(743);
const KEYS = 'abcdefghijkl';

function holding(keys: string): LruCache<string> {
  const kept = new LruCache<string>(8_000, ({ length }) => length);
  for (const key of keys) kept.put(key, text(key));
  return kept;
}

/** A lookup counts as a use, so every key is looked up in a fresh cache. */
const found = (make: () => LruCache<string>) => [...KEYS].filter((key) => make().get(key) === text(key)).join('');

describe('LruCache', () => {
  it('keeps entries while there is room', () => {
    expect(found(() => holding('abcdefgh'))).toBe('abcdefgh');
  });

  it('drops entries that were not used recently', () => {
    expect(found(() => holding('abcdefghi'))).toBe('efghi');
    const used = () => {
      const kept = holding('abcdefgh');
      kept.get('a');
      for (const key of 'ijk') kept.put(key, text(key));
      return kept;
    };
    expect(found(used)).toBe('aefghijk');
  });

  it('counts a replaced entry only once', () => {
    const replaced = () => {
      const kept = holding('abcdefgh');
      for (let times = 0; times < 20; times += 1) kept.put('h', text('h'));
      return kept;
    };
    expect(found(replaced)).toBe('abcdefgh');
  });

  it('a holder with most of the entries displaces no entries of others', () => {
    const kept = new LruCache<string>(
      8_000,
      ({ length }) => length,
      (key) => key.slice(0, 1),
    );
    kept.put('a', text('a'));
    for (let number = 10; number < 99; number += 1) kept.put(`b${number}`, text('b').slice(2));
    expect([kept.get('a'), kept.get('b98'), kept.get('b10')]).toEqual([text('a'), text('b').slice(2), null]);
  });

  it('does not store an entry that would displace many others, and drops its previous value', () => {
    const kept = holding('abcdefgh');
    kept.put('a', text('a').repeat(2));
    expect([kept.get('a'), kept.get('b')]).toEqual([null, text('b')]);
  });
});
