import { RecentlyUsed } from './recently-used.ts';

const KEYS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
/** Room for eight texts of 743 characters: with its key and what it costs to keep, each takes 1,000. */
const text = (character: string) => character.repeat(743);

function filled() {
  const kept = new RecentlyUsed<string>(8_000, ({ length }) => length);
  for (const key of KEYS.slice(0, 8)) kept.put(key, text(key));
  return kept;
}

const found = (kept: RecentlyUsed<string>) => KEYS.filter((key) => kept.get(key) !== null).join('');

describe('RecentlyUsed', () => {
  it('keeps what there is room for', () => {
    expect(found(filled())).toBe('abcdefgh');
  });

  it('lets go what has not been asked for the longest', () => {
    const kept = filled();
    kept.get('a');
    kept.put('i', text('i'));
    expect(found(kept)).toBe('acdefghi');
  });

  it('counts what is replaced once', () => {
    const kept = filled();
    for (let times = 0; times < 20; times += 1) kept.put('a', text('z'));
    expect(found(kept)).toBe('abcdefgh');
    expect(kept.get('a')).toBe(text('z'));
  });

  it('does not keep what would take the room of everything else', () => {
    const kept = filled();
    kept.put('a', text('a').repeat(2));
    expect(found(kept)).toBe('bcdefgh');
  });
});
