import type { Sentence } from './sentence.ts';

/** The maximum number of names in a message, so that the message stays readable. */
const NAMES_MAX = 20;

/** Returns the names for a sentence: all of them, or the first ones and the number of the remaining ones. */
export function nameList(all: readonly string[]): Sentence<'names' | 'more'> {
  const names = all.slice(0, NAMES_MAX);
  const shown = names.join(', ');
  const more = all.length - names.length;
  return { message: more > 0 ? `${shown} and ${more} more` : shown, params: { names, ...(more > 0 && { more }) } };
}
