import { LruCache } from './lru-cache.ts';

/** With its key and the overhead, a text of 743 characters takes 1,000 bytes. */
const text = (character: string) => character.repeat(743);
const KEYS = 'abcdefghijkl';

function holding(keys: string): LruCache<string> {
  const cached = new LruCache<string>(8_000, ({ length }) => length);
  for (const key of keys) cached.put(key, text(key));
  return cached;
}

/** A lookup counts as a use, so every key is looked up in a fresh cache. */
const entries = (make: () => LruCache<string>) => [...KEYS].filter((key) => make().get(key) === text(key)).join('');

describe('LruCache', () => {
  it('keeps entries while there is room', () => {
    expect(entries(() => holding('abcdefgh'))).toBe('abcdefgh');
  });

  it('drops entries that were not used recently', () => {
    expect(entries(() => holding('abcdefghi'))).toBe('efghi');
    const used = () => {
      const cached = holding('abcdefgh');
      cached.get('a');
      for (const key of 'ijk') cached.put(key, text(key));
      return cached;
    };
    expect(entries(used)).toBe('aefghijk');
  });

  it('counts a replaced entry only once', () => {
    const replaced = () => {
      const cached = holding('abcdefgh');
      for (let times = 0; times < 20; times += 1) cached.put('h', text('h'));
      return cached;
    };
    expect(entries(replaced)).toBe('abcdefgh');
  });

  it('a holder with most of the entries displaces no entries of others', () => {
    const cached = new LruCache<string>(
      8_000,
      ({ length }) => length,
      (key) => key.slice(0, 1),
    );
    cached.put('a', text('a'));
    for (let number = 10; number < 99; number += 1) cached.put(`b${number}`, text('b').slice(2));
    expect([cached.get('a'), cached.get('b98'), cached.get('b10')]).toEqual([text('a'), text('b').slice(2), null]);
  });

  it('does not store an entry that would displace many others, and drops its previous value', () => {
    const cached = holding('abcdefgh');
    cached.put('a', text('a').repeat(2));
    expect([cached.get('a'), cached.get('b')]).toEqual([null, text('b')]);
  });
});
