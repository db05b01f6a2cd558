import { decodeText } from './decoded-text.ts';
import { Failure } from './failure.ts';
import { type Sentence, sentence } from './sentence.ts';

const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);
/** Fields of text that accept a number. The number is kept as written, since a float cannot represent every digit. */
export const NUMBERS_AS_WRITTEN: ReadonlySet<string> = new Set(['internal_value', 'constraint']);

/** Returns whether JSON bodies may not contain a key, which also means: no changeset sets a parameter with this name. */
export const isForbiddenKey = (key: string): boolean => FORBIDDEN_KEYS.has(key);

/** Matches every text that may contain one of these keys, because a key can also be written with escapes. */
const KEY_TO_CHECK = new RegExp([...FORBIDDEN_KEYS, ...NUMBERS_AS_WRITTEN, '\\\\u'].join('|'));

export const malformedBodyError = (message: Sentence<'limit' | 'name'>): Failure =>
  Failure.invalid('malformed_body', message);

/** Returns the text of a body. Throws a failure if it is not UTF-8. */
export function decodeBody(bytes: Uint8Array): string {
  const { text } = decodeText(bytes);
  if (text === undefined) throw malformedBodyError(sentence`The body is not valid UTF-8.`);
  return text;
}

/** Parses the JSON of a request. Rejects keys that could change prototypes. */
export function parseJsonText(text: string): unknown {
  try {
    // calling a function for each member takes several times as long as parsing
    return KEY_TO_CHECK.test(text) ? JSON.parse(text, readMember) : JSON.parse(text);
  } catch (error) {
    throw error instanceof Failure ? error : malformedBodyError(sentence`The body is not valid JSON.`);
  }
}

/** Reads a member of JSON, for `JSON.parse`. */
export function readMember(key: string, value: unknown, { source }: { readonly source?: string } = {}): unknown {
  if (FORBIDDEN_KEYS.has(key))
    throw malformedBodyError(sentence`The body has the key ${{ name: key }}, which is not allowed.`);
  return typeof value === 'number' && NUMBERS_AS_WRITTEN.has(key) ? source : value;
}
