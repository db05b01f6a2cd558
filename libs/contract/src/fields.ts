import {
  isLongerThan,
  NAME_LENGTH_MAX,
  nameProblem,
  parseQueryBoolean,
  TEMPLATE_LENGTH_MAX,
  type TextProblem,
  textProblem,
  trimName,
  VALUE_LENGTH_MAX,
} from '@strata/domain';
import { z } from 'zod';

/** Most characters (code points) that each kind of input may have; they protect the database and the chat channel. */
export const LIMITS = {
  name: NAME_LENGTH_MAX,
  pattern: 256,
  organizationPattern: 255,
  serviceAccountName: 128,
  owner: 128,
  groupName: 150,
  membersPerGroup: 2_500,
  fqn: 1024,
  internalValue: VALUE_LENGTH_MAX,
  template: TEMPLATE_LENGTH_MAX,
  description: 65_536,
  link: 2_048,
  userId: 256,
  email: 254,
  password: 1_024,
  idsPerRequest: 500,
  /** Each set of fields is a prepared statement of its own; more than these would distinguish nothing. */
  orderingFields: 20,
} as const;

interface TextRule {
  /** In code points, as people and PostgreSQL count. */
  readonly max: number;
  readonly blank: 'allowed' | 'refused';
}

/** Output: an absolute link, always ending with a slash. */
export const linkOut = z.string().meta({ format: 'uri' });
/** Output: UTC, RFC 3339, six fraction digits. */
export const timeOut = z.string().meta({ format: 'date-time' });
export const uuidOut = z.string().meta({ format: 'uuid' });

/** Text as sent: nothing is trimmed. */
export function text({ max, blank }: TextRule) {
  return checked((value) => {
    if (value === '' && blank === 'refused') return { code: 'blank', message: '' };
    return isLongerThan(value, max) ? { code: 'too_long', message: '' } : textProblem(value);
  }, max);
}

/** A name: leading and trailing blanks do not count, and something must remain. */
export function name(max: number = LIMITS.name) {
  return checked((value) => nameProblem(value, max), max, trimName);
}

function checked(find: (value: string) => TextProblem | null, max: number, normalize = (value: string) => value) {
  return z
    .string()
    .overwrite(normalize)
    .check((context) => {
      const found = find(context.value);
      if (found !== null) context.issues.push({ code: 'custom', input: undefined, ...inWords(found, max) });
    })
    .meta({ maxLength: max });
}

/** Codes and words that clients of this kind of API know; rarer trouble keeps the domain's own words. */
function inWords({ code, message }: TextProblem, max: number) {
  if (code === 'blank') return { message: 'This field may not be blank.', params: { code } };
  if (code === 'too_long') {
    return { message: `Ensure this field has no more than ${max} characters.`, params: { code } };
  }
  return { message, params: { code: 'invalid' } };
}

/** Free text; null means none. */
export function freeText(max: number = LIMITS.description) {
  return z.preprocess(nullToEmpty, text({ max, blank: 'allowed' }));
}

/** The text of a template: nothing is trimmed, null means none. */
export const templateText = freeText(LIMITS.template);

/** A map whose keys are the client's own. Every text in it, however deep, keys too, must be one that can be stored. */
export function freeMap<Item extends z.ZodType>(item: Item, key: z.ZodString = z.string()) {
  return z.record(key, item).check((context) => {
    const found = problemWithin(context.value);
    if (found !== null) context.issues.push({ code: 'custom', input: undefined, ...inWords(found, 0) });
  });
}

/** The first text that cannot be stored. A body has few levels: the reader of JSON sees to it. */
function problemWithin(value: unknown): TextProblem | null {
  if (typeof value === 'string') return textProblem(value);
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, inside] of Object.entries(value)) {
    const found = textProblem(key) ?? problemWithin(inside);
    if (found !== null) return found;
  }
  return null;
}

/** A link or a bare id; the core resolves it. */
export const linkIn = name(LIMITS.link).meta({ link: true });

/** A link, a bare id, or null; forms cannot say null, so the empty text means it. */
export const linkOrNullIn = z.preprocess(emptyToNull, linkIn.nullable());

/** JSON booleans, and the words for them that forms and older clients send. */
export const flag = z.preprocess(toBoolean, z.boolean());

/** Text, null, or a number that is stored as its text. */
export const internalValueIn = z.preprocess(
  (input) => (typeof input === 'number' && Number.isFinite(input) ? String(input) : input),
  text({ max: LIMITS.internalValue, blank: 'allowed' }).nullable(),
);

function toBoolean(input: unknown): unknown {
  if (input === 1 || input === 0) return input === 1;
  return typeof input === 'string' ? (parseQueryBoolean(input) ?? input) : input;
}

/** A form sends one chosen item as a text, several as a list; an item chosen twice counts once. */
export function toList(input: unknown): unknown {
  if (typeof input === 'string') return [input];
  return Array.isArray(input) ? [...new Set(input)] : input;
}

function nullToEmpty(input: unknown): unknown {
  return input === null ? '' : input;
}

function emptyToNull(input: unknown): unknown {
  return input === '' ? null : input;
}
