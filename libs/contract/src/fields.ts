import {
  asSentence,
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

/**
 * The maximum length of each kind of input in characters (code points). The limits protect the database and the chat
 * channel.
 */
export const LIMITS = {
  name: NAME_LENGTH_MAX,
  pattern: 256,
  organizationPattern: 255,
  serviceAccountName: 128,
  owner: 128,
  groupName: 150,
  membersPerGroup: 2_500,
  /** Each one is followed with every check of a credential. */
  projectsPerServiceAccount: 50,
  /** 30 days. A key that was replaced should not be forgotten. */
  keyOverlapSeconds: 2_592_000,
  fqn: 1024,
  internalValue: VALUE_LENGTH_MAX,
  template: TEMPLATE_LENGTH_MAX,
  description: 65_536,
  link: 2_048,
  userId: 256,
  email: 254,
  password: 1_024,
  idsPerRequest: 500,
  /** Each set of fields needs its own prepared statement, and no client needs to sort by more fields. */
  orderingFields: 20,
} as const;

interface TextRule {
  /** Returns the length in code points, as PostgreSQL counts it. */
  readonly max: number;
  readonly blank: 'allowed' | 'rejected';
}

/** An absolute URL in a response. It always ends with a slash. */
export const linkOutput = z.string().meta({ format: 'uri' });
/** A time in a response: UTC, RFC 3339, six fraction digits. */
export const timeOutput = z.string().meta({ format: 'date-time' });
export const uuidOutput = z.string().meta({ format: 'uuid' });

const url = linkOutput.meta({ description: 'URL of the object.' });
/** The first members of an object with an id. */
export const identifiedObject = { url, id: uuidOutput.meta({ description: 'Id of the object.' }) };
/** The first members of an object with versions. */
export const versionedObject = {
  url,
  id: z.string().meta({ description: 'Id of the object.' }),
  ledger_id: z.string().meta({ description: 'Version of the object. It changes with every modification.' }),
};

/** A text that is not trimmed. */
export function textField({ max, blank }: TextRule) {
  return checked((value) => {
    if (value === '' && blank === 'rejected') return { code: 'blank', ...asSentence('') };
    return isLongerThan(value, max) ? { code: 'too_long', ...asSentence('') } : textProblem(value);
  }, max);
}

/** A name. Leading and trailing blanks are removed, and the rest must not be empty. */
export function nameField(max: number = LIMITS.name) {
  return checked((value) => nameProblem(value, max), max, trimName);
}

function checked(find: (value: string) => TextProblem | null, max: number, normalize = (value: string) => value) {
  return z
    .string()
    .overwrite(normalize)
    .check((context) => {
      const problem = find(context.value);
      if (problem !== null) context.issues.push({ code: 'custom', input: undefined, ...describeProblem(problem, max) });
    })
    .meta({ maxLength: max });
}

/** Uses the error codes and sentences that existing clients know. Rarer errors keep the sentence of the domain. */
function describeProblem({ code, message, params: values }: TextProblem, max: number) {
  if (code === 'blank') return { message: 'This field may not be blank.', params: { code } };
  if (code === 'too_long') {
    return {
      message: `Ensure this field has no more than ${max} characters.`,
      params: { code, values: { limit: max } },
    };
  }
  return { message, params: { code: 'invalid', values } };
}

/** Free text. Null is stored as an empty text. */
export function freeTextField(max: number = LIMITS.description) {
  return z.preprocess(nullToEmpty, textField({ max, blank: 'allowed' }));
}

/** The text of a template. It is not trimmed, and null is stored as an empty text. */
export const templateTextField = freeTextField(LIMITS.template);

/**
 * A map whose keys the client chooses. PostgreSQL must be able to store every text in it, including keys and nested
 * texts.
 */
export function mapField<Item extends z.ZodType>(item: Item, key: z.ZodString = z.string()) {
  return z.record(key, item).check((context) => {
    const problem = problemWithin(context.value);
    if (problem !== null) context.issues.push({ code: 'custom', input: undefined, ...describeProblem(problem, 0) });
  });
}

/**
 * Returns the first text that cannot be stored. The recursion is safe because the JSON parser limits the depth of
 * bodies.
 */
function problemWithin(value: unknown): TextProblem | null {
  if (typeof value === 'string') return textProblem(value);
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, inside] of Object.entries(value)) {
    const problem = textProblem(key) ?? problemWithin(inside);
    if (problem !== null) return problem;
  }
  return null;
}

/** A URL or an id. The core resolves it. */
export const linkIn = nameField(LIMITS.link).meta({ link: true });

/** A URL, an id or null. Forms cannot send null, so an empty text means null. */
export const linkOrNullIn = z.preprocess(emptyToNull, linkIn.nullable());

/** A JSON boolean, or one of the words that forms and older clients send. */
export const flagField = z.preprocess(toBoolean, z.boolean());

/** A text, null, or a number, which is stored as text. */
export const internalValueIn = z.preprocess(
  (input) => (typeof input === 'number' && Number.isFinite(input) ? String(input) : input),
  textField({ max: LIMITS.internalValue, blank: 'allowed' }).nullable(),
);

function toBoolean(input: unknown): unknown {
  if (input === 1 || input === 0) return input === 1;
  return typeof input === 'string' ? (parseQueryBoolean(input) ?? input) : input;
}

/** Accepts a single text as well, because forms send one selected item as a text. Removes duplicates. */
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
