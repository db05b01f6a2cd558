import { asSentence, type Sentence, sentence } from './sentence.ts';
/**
 * The maximum length of names of environments, projects, parameters, templates and types (behaviour.md §2, §4, §5.4,
 * §7.1, §8.1).
 */
export const NAME_LENGTH_MAX = 256;
/** The maximum length of a value's text, `internal_value` (behaviour.md §6.1). */
export const VALUE_LENGTH_MAX = 65_536;
/**
 * The maximum length of a template. The contract has no limit; this one keeps the time to parse a template within
 * milliseconds.
 */
export const TEMPLATE_LENGTH_MAX = 262_144;

/** Why a text is not valid. The sentence never quotes the text. */
export interface TextProblem extends Sentence<'limit'> {
  readonly code: 'blank' | 'too_long' | 'null_character' | 'lone_surrogate' | 'control_character';
}

const BLANK: TextProblem = { code: 'blank', ...asSentence('This must not be blank.') };
const NULL_CHARACTER: TextProblem = {
  code: 'null_character',
  ...asSentence('This must not contain the null character (U+0000).'),
};
const LONE_SURROGATE: TextProblem = {
  code: 'lone_surrogate',
  ...asSentence('This is not valid Unicode text: it contains half of a surrogate pair.'),
};
const CONTROL_CHARACTER: TextProblem = {
  code: 'control_character',
  ...asSentence('This must not contain control characters such as line breaks or tabs.'),
};

/** In Unicode mode a complete pair is one character, so only halves match. */
const ANY_LONE_SURROGATE = /\p{Surrogate}/u;
const ANY_CONTROL = /\p{Control}/u;

/** Removes surrounding blanks; inner blanks are part of the name (behaviour.md §1.12). */
export function trimName(text: string): string {
  return text.trim();
}

/**
 * Returns whether the text has more than `max` characters. A character is a code point, as in PostgreSQL's `length`: an
 * emoji counts once although JavaScript stores it in two units.
 */
export function isLongerThan(text: string, max: number): boolean {
  if (text.length <= max) return false;
  if (text.length > 2 * max) return true;
  let count = 0;
  for (const _ of text) {
    count += 1;
    if (count > max) return true;
  }
  return false;
}

/** Returns why a text cannot be stored or sent: PostgreSQL has no U+0000, and UTF-8 has no lone surrogates. */
export function textProblem(text: string): TextProblem | null {
  if (text.includes('\0')) return NULL_CHARACTER;
  if (ANY_LONE_SURROGATE.test(text)) return LONE_SURROGATE;
  return null;
}

/**
 * Returns what is wrong with a trimmed name. Control characters are rejected although the contract does not mention
 * them, because they are invisible and break log lines, exports and chat messages.
 */
export function nameProblem(name: string, lengthMax = NAME_LENGTH_MAX): TextProblem | null {
  if (name === '') return BLANK;
  if (isLongerThan(name, lengthMax)) return tooLong(lengthMax);
  const problem = textProblem(name);
  if (problem !== null) return problem;
  return ANY_CONTROL.test(name) ? CONTROL_CHARACTER : null;
}

/**
 * Returns what is wrong with the text of a value. Nothing is trimmed; line breaks, tabs and the empty text are valid.
 */
export function valueTextProblem(text: string): TextProblem | null {
  if (isLongerThan(text, VALUE_LENGTH_MAX)) return tooLong(VALUE_LENGTH_MAX);
  return textProblem(text);
}

function tooLong(lengthMax: number): TextProblem {
  return { code: 'too_long', ...sentence`This must have at most ${{ limit: lengthMax }} characters.` };
}
