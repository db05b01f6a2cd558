import { listPaths, plainText } from './plain-text.ts';
import { NAMESPACES, RESERVED_WORDS, type ReservedWord } from './reference.ts';

/**
 * Matches the namespace object in a text with tags or filters, and the member that follows it if it is written
 * literally.
 */
const MEMBER = new RegExp(String.raw`\b(?:${NAMESPACES.join('|')})\b(?:\s*(?:\.|\[\s*["'])\s*([A-Za-z]+))?`, 'g');
const COLLECTIONS: readonly unknown[] = ['parameters', 'templates', 'projects'];

/**
 * Returns the reserved words whose values a text may contain after evaluation, without evaluating it. A text that is
 * too complex to analyze may contain all of them. Two texts with equal values for these words therefore never differ
 * because of them.
 */
export function findReservedWords(text: string): ReadonlySet<ReservedWord> {
  const parts = plainText(text);
  const members = parts
    ? listPaths(parts).flatMap(([root, member]) => (NAMESPACES.includes(String(root)) ? [member] : []))
    : [...text.matchAll(MEMBER)].map(([, member]) => member);
  return new Set(
    members.flatMap((member) => {
      if (COLLECTIONS.includes(member)) return [];
      const word = RESERVED_WORDS.find((candidate) => candidate === member);
      return word ? [word] : RESERVED_WORDS;
    }),
  );
}
