/** An entry to search: its visible text and its synonyms. */
export interface SearchTarget {
  readonly title: string;
  readonly synonyms?: string;
}

/** Returns the rank of an entry, lower is better; null if it does not contain every typed word. */
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
  // A synonym of a page means that page, even if other names contain the word.
  if (startsWord(title, word) || hasWord(synonyms, word)) return 1;
  if (startsWord(synonyms, word)) return 2;
  // Matches in the middle of a word need a minimum length.
  if (word.length > 1 && title.includes(word)) return 3;
  return null;
}

/** Treats singular and plural as equal: `key` matches `keys` and vice versa. */
const hasWord = (words: string, word: string): boolean =>
  words.split(' ').some((one) => one === word || one === `${word}s` || `${one}s` === word);

const startsWord = (text: string, word: string): boolean => {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')) return true;
  }
  return false;
};

const wordsOf = (typed: string): readonly string[] => typed.toLowerCase().split(/\s+/).filter(Boolean);

/** The matching entries, and the rank of the best one. */
export interface RankedMatch<Kind> {
  readonly items: readonly Kind[];
  /** The best rank; infinite without a match. */
  readonly rank: number;
}

/** Returns the matching entries, best first; equal ranks keep their order. */
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
