import { LruCache } from './lru-cache.ts';

/** With its key and what it costs to keep, a text of 743 characters takes 1,000 bytes. */
const text = (character: string) => character.repeat(743);
const KEYS = 'abcdefghijkl';

function holding(keys: string): LruCache<string> {
  const kept = new LruCache<string>(8_000, ({ length }) => length);
  for (const key of keys) kept.put(key, text(key));
  return kept;
}

/** Asking is using, so each is asked of a cache of its own. */
const found = (make: () => LruCache<string>) => [...KEYS].filter((key) => make().get(key) === text(key)).join('');

describe('RecentlyUsed', () => {
  it('keeps what there is room for', () => {
    expect(found(() => holding('abcdefgh'))).toBe('abcdefgh');
  });

  it('lets go what has not been asked for lately', () => {
    expect(found(() => holding('abcdefghi'))).toBe('efghi');
    const used = () => {
      const kept = holding('abcdefgh');
      kept.get('a');
      for (const key of 'ijk') kept.put(key, text(key));
      return kept;
    };
    expect(found(used)).toBe('aefghijk');
  });

  it('counts what is replaced once', () => {
    const replaced = () => {
      const kept = holding('abcdefgh');
      for (let times = 0; times < 20; times += 1) kept.put('h', text('h'));
      return kept;
    };
    expect(found(replaced)).toBe('abcdefgh');
  });

  it('does not keep what would take the room of much else, and not what was there before', () => {
    const kept = holding('abcdefgh');
    kept.put('a', text('a').repeat(2));
    expect([kept.get('a'), kept.get('b')]).toEqual([null, text('b')]);
  });
});
