/** The texts of an entry that are searched: its title and its synonyms. */
export interface SearchTarget {
  readonly title: string;
  readonly synonyms?: string;
}

/** Returns the rank of an entry, where 0 is the best; null if one of the typed words does not match. */
export function rankEntry({ title, synonyms = '' }: SearchTarget, searchText: string): number | null {
  const typedWords = splitWords(searchText);
  if (typedWords.length === 0) return 0;
  const lowerTitle = title.toLowerCase();
  if (lowerTitle === typedWords.join(' ')) return 0;
  const ranks = typedWords.map((word) => rankOfWord(word, lowerTitle, synonyms.toLowerCase()));
  if (ranks.includes(null)) return null;
  return 1 + Math.max(...ranks.map(Number));
}

function rankOfWord(word: string, title: string, synonyms: string): number | null {
  if (title.startsWith(word)) return 0;
  // A synonym ranks like a title, because names may contain the same word by chance.
  if (startsWord(title, word) || hasWord(synonyms, word)) return 1;
  if (startsWord(synonyms, word)) return 2;
  // Single characters do not match in the middle of a word.
  if (word.length > 1 && title.includes(word)) return 3;
  return null;
}

/** Returns whether `words` contains a word, treating singular and plural as equal. */
const hasWord = (synonyms: string, word: string): boolean =>
  synonyms.split(' ').some((candidate) => candidate === word || candidate === `${word}s` || `${candidate}s` === word);

const startsWord = (text: string, word: string): boolean => {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')) return true;
  }
  return false;
};

const splitWords = (text: string): readonly string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** The matching entries, and the rank of the best one. */
export interface RankedMatch<Kind> {
  readonly items: readonly Kind[];
  /** The best rank; infinite without a match. */
  readonly rank: number;
}

/** Returns the best matching entries. Entries with the same rank keep their order. */
export function findBest<Kind extends SearchTarget>(
  all: readonly Kind[],
  searchText: string,
  count: number,
): RankedMatch<Kind> {
  const rankedItems = all
    .flatMap((item) => {
      const rank = rankEntry(item, searchText);
      return rank === null ? [] : [{ item, rank }];
    })
    .sort((left, right) => left.rank - right.rank);
  return {
    items: rankedItems.slice(0, count).map(({ item }) => item),
    rank: rankedItems[0]?.rank ?? Number.POSITIVE_INFINITY,
  };
}
