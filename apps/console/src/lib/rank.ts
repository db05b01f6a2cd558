/** Something that can be looked for: what is shown of it, and other words that people may have for it. */
export interface SearchTarget {
  readonly title: string;
  readonly synonyms?: string;
}

/** How well something fits what was typed, the best first; null where it does not fit. Every word that was typed must be found. */
export function rankOf({ title, synonyms = '' }: SearchTarget, typed: string): number | null {
  const wanted = wordsOf(typed);
  if (wanted.length === 0) return 0;
  const shown = title.toLowerCase();
  if (shown === wanted.join(' ')) return 0;
  const ranks = wanted.map((word) => rankOfWord(word, shown, synonyms.toLowerCase()));
  if (ranks.includes(null)) return null;
  return 1 + Math.max(...ranks.map(Number));
}

function rankOfWord(word: string, title: string, synonyms: string): number | null {
  if (title.startsWith(word)) return 0;
  // Who types another word for a page means that page, whatever else has the word somewhere in its name.
  if (startsWord(title, word) || hasWord(synonyms, word)) return 1;
  if (startsWord(synonyms, word)) return 2;
  // In the middle of a word only what is long enough to mean something.
  if (word.length > 1 && title.includes(word)) return 3;
  return null;
}

/** In one number or in many: `key` is another word for what is called `keys`, and the other way round. */
const hasWord = (words: string, word: string): boolean =>
  words.split(' ').some((one) => one === word || one === `${word}s` || `${one}s` === word);

const startsWord = (text: string, word: string): boolean => {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')) return true;
  }
  return false;
};

const wordsOf = (typed: string): readonly string[] => typed.toLowerCase().split(/\s+/).filter(Boolean);

/** What fits what was typed, and how well the best of it does. */
export interface RankedMatch<Kind> {
  readonly items: readonly Kind[];
  /** Infinite where nothing fits. */
  readonly rank: number;
}

/** Those that fit, the best first, and as they came where they fit alike. */
export function bestOf<Kind extends SearchTarget>(
  all: readonly Kind[],
  typed: string,
  count: number,
): RankedMatch<Kind> {
  const ranked = all
    .flatMap((item) => {
      const rank = rankOf(item, typed);
      return rank === null ? [] : [{ item, rank }];
    })
    .sort((left, right) => left.rank - right.rank);
  return { items: ranked.slice(0, count).map(({ item }) => item), rank: ranked[0]?.rank ?? Number.POSITIVE_INFINITY };
}
