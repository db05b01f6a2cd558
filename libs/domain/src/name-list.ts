import type { Sentence } from './sentence.ts';

/** The maximum number of names in a message, so that the message stays readable. */
const NAMES_MAX = 20;

/** Returns the names for a sentence: all of them, or the first ones and the number of the remaining ones. */
export function nameList(all: readonly string[]): Sentence<'names' | 'more'> {
  const names = all.slice(0, NAMES_MAX);
  const shownNames = names.join(', ');
  const moreCount = all.length - names.length;
  return {
    message: moreCount > 0 ? `${shownNames} and ${moreCount} more` : shownNames,
    params: { names, ...(moreCount > 0 && { more: moreCount }) },
  };
}
