import { createProblemAt, type ErrorCode, Failure, type Params, type Problem } from '@strata/domain';
import { z } from 'zod';

const REQUIRED = 'This field is required.';
const INVALID_PAGE = 'invalid_page';

/**
 * Returns the request body in the shape of its schema, without unknown and read-only fields. An absent body counts as
 * `{}`. Throws a Failure keyed by field, with the code of the first error: `required`, `blank`, `too_long` or
 * `invalid`.
 */
export function parseBody<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const input = body ?? {};
  if (typeof input !== 'object' || Array.isArray(input)) {
    throw Failure.field('invalid', 'non_field_errors', 'Invalid data. Expected an object.');
  }
  return parse(schema, input);
}

/**
 * Returns the query parameters of the schema. If a parameter is repeated, the last one counts, unless the schema
 * accepts a list. An empty parameter counts as absent. Throws a Failure keyed by parameter, or 404 `Invalid page.`
 */
export function parseQuery<S extends z.ZodObject>(schema: S, query: unknown): z.output<S> {
  const text: Record<string, string | readonly string[]> = {};
  if (typeof query === 'object' && query !== null) {
    for (const [key, member] of Object.entries<z.ZodType>(schema.shape)) {
      if (!Object.hasOwn(query, key)) continue;
      const texts = [(query as Record<string, unknown>)[key]].flat().filter((text) => typeof text === 'string');
      if (takesList(member)) {
        const nonEmptyTexts = texts.filter((text) => text !== '');
        if (nonEmptyTexts.length > 0) text[key] = nonEmptyTexts;
        continue;
      }
      const lastText = texts.at(-1);
      if (lastText !== undefined && lastText !== '') text[key] = lastText;
    }
  }
  return parse(schema, text);
}

function takesList(schema: z.ZodType): boolean {
  if (schema instanceof z.ZodOptional) return takesList(schema.unwrap() as z.ZodType);
  return schema instanceof z.ZodArray;
}

function parse<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const result = schema.safeParse(input, { error: describeIssue });
  if (result.success) return result.data;
  const { issues } = result.error;
  if (issues.some((issue) => problemCode(issue) === INVALID_PAGE)) {
    throw new Failure({ kind: 'not_found', code: INVALID_PAGE, message: 'Invalid page.' });
  }
  const [first] = issues;
  throw Failure.fields(first ? problemCode(first) : 'invalid', issues.map(toProblem));
}

function toProblem(issue: z.core.$ZodIssue): Problem {
  const { path, message } = issue;
  return { ...createProblemAt(path.map(toSegment), { message, params: readParams(issue) }), code: problemCode(issue) };
}

const toSegment = (segment: PropertyKey): string | number => (typeof segment === 'number' ? segment : String(segment));

/** Returns the names and numbers in the sentence of an error. */
function readParams(issue: z.core.$ZodIssue): Params {
  switch (issue.code) {
    case 'custom':
      return (issue.params?.values as Params | undefined) ?? {};
    case 'too_big':
      return { limit: Number(issue.maximum) };
    case 'too_small':
      return { limit: Number(issue.minimum) };
    case 'invalid_value':
      return { choices: issue.values.map(String) };
    case 'unrecognized_keys':
      return { names: shortenedNames(issue.keys) };
    default:
      return {};
  }
}

function problemCode(issue: z.core.$ZodIssue): ErrorCode {
  if (issue.code === 'custom' && typeof issue.params?.code === 'string') return issue.params.code as ErrorCode;
  if (issue.code === 'too_big') return 'too_long';
  return issue.message === REQUIRED ? 'required' : 'invalid';
}

const EXPECTED: Readonly<Record<string, string>> = {
  string: 'Not a valid string.',
  boolean: 'Must be a valid boolean.',
  array: 'Expected a list of items.',
  object: 'Expected an object.',
  number: 'A valid number is required.',
  int: 'A valid integer is required.',
};

/** The maximum number of unknown members that an error names. A body may have many. */
const NAMED = { members: 5, characters: 64 } as const;

const shortenedNames = (names: readonly string[]): readonly string[] =>
  names.slice(0, NAMED.members).map((name) => name.slice(0, NAMED.characters));

function unknownMembers(names: readonly string[]): string {
  const shownNames = shortenedNames(names);
  const moreText = names.length > shownNames.length ? ` and ${names.length - shownNames.length} more` : '';
  return `Unknown: ${shownNames.join(', ')}${moreText}. Correct the name, or omit it.`;
}

/**
 * Returns the sentence for an error that has none. The sentence never contains a value of the input, which may be a
 * secret.
 */
function describeIssue(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return REQUIRED;
  if (issue.input === null) return 'This field may not be null.';
  switch (issue.code) {
    case 'invalid_type':
      return EXPECTED[issue.expected] ?? 'This is not valid.';
    case 'invalid_value':
      return `Not a valid choice. Choose from: ${issue.values.map(String).join(', ')}.`;
    case 'too_big':
      return `Ensure this has no more than ${issue.maximum} items.`;
    case 'too_small':
      return `Ensure this has at least ${issue.minimum} items.`;
    case 'unrecognized_keys':
      return unknownMembers(issue.keys);
    default:
      return 'This is not valid.';
  }
}
