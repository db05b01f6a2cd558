import { pathsOf, plainText } from './plain-text.ts';
import { NAMESPACES, RESERVED_WORDS, type ReservedWord } from './reference.ts';

/** The name space in a text with tags or filters, with the member that follows it where that is plain to see. */
const MEMBER = new RegExp(String.raw`\b(?:${NAMESPACES.join('|')})\b(?:\s*(?:\.|\[\s*["'])\s*([A-Za-z]+))?`, 'g');
const COLLECTIONS: readonly unknown[] = ['parameters', 'templates', 'projects'];

/**
 * Returns the names that a text may contain once it is evaluated, without evaluating it. A text that is too complex to decide may
 * contain all of them, so two texts for which these names are equal never differ because of them.
 */
export function reservedWordsIn(text: string): ReadonlySet<ReservedWord> {
  const parts = plainText(text);
  const members = parts
    ? pathsOf(parts).flatMap(([root, member]) => (NAMESPACES.includes(String(root)) ? [member] : []))
    : [...text.matchAll(MEMBER)].map(([, member]) => member);
  return new Set(
    members.flatMap((member) => {
      if (COLLECTIONS.includes(member)) return [];
      const word = RESERVED_WORDS.find((each) => each === member);
      return word ? [word] : RESERVED_WORDS;
    }),
  );
}
