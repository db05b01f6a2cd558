import {
  decodeListCursor,
  type ErrorCode,
  FEED_EVENT_TYPES,
  isUuid,
  type ListPosition,
  PAGE_SIZE_DEFAULT,
  PAGE_SIZE_MAX,
  type Params,
  parseInstant,
  parsePage,
  parseQueryBoolean,
  textProblem,
} from '@strata/domain';
import { z } from 'zod';
import { LIMITS } from './fields.ts';
import { findVocabulary } from './vocabulary.ts';

export interface OrderBy {
  readonly field: string;
  readonly descending: boolean;
}

type Converted<T> =
  | { readonly ok: T }
  /** `params` contains the names and numbers in the sentence. */
  | { readonly bad: string; readonly code?: ErrorCode; readonly params?: Params };

/** A query parameter, which is a text in the URL and has another type in code. `described` is its JSON schema. */
export function parameter<T>(convert: (text: string) => Converted<T>, metadata: Record<string, unknown>) {
  return z
    .string()
    .transform((text, context): T => {
      const result = convert(text);
      if ('ok' in result) return result.ok;
      const { bad: message, code = 'invalid', params: values } = result;
      context.addIssue({ code: 'custom', message, params: { code, values } });
      return z.NEVER;
    })
    .meta(metadata);
}

/** A text that PostgreSQL can store and compare. */
export function textParameter(description: string) {
  return parameter<string>(
    (text) => {
      const problem = textProblem(text);
      return problem === null ? { ok: text } : { bad: problem.message };
    },
    { type: 'string', description },
  ).optional();
}

export function booleanParameter(description: string) {
  return parameter<boolean>(
    (text) => {
      const boolean = parseQueryBoolean(text);
      return boolean !== null ? { ok: boolean } : { bad: 'Must be true or false.' };
    },
    { type: 'boolean', description },
  );
}

export function uuidParameter(description: string) {
  return parameter<string>(
    (text) => (isUuid(text) ? { ok: text.toLowerCase() } : { bad: 'This is not a valid UUID.' }),
    { type: 'string', format: 'uuid', description },
  ).optional();
}

export function instantParameter(description: string) {
  return parameter<string>(
    (text) => {
      // An unescaped plus sign of a UTC offset arrives as a blank.
      const instant = parseInstant(text.replace(/(:\d\d(?:\.\d+)?) (\d\d:\d\d)$/, '$1+$2'));
      return instant === null ? { bad: 'Enter a valid date and time, such as 2024-05-01T10:00:00Z.' } : { ok: instant };
    },
    { type: 'string', format: 'date-time', description },
  ).optional();
}

export function countParameter(min: number, max: number, description: string) {
  return parameter<number>(
    (text) => {
      const count = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      return count >= min && count <= max
        ? { ok: count }
        : { bad: `Enter a whole number from ${min} to ${max}.`, params: { minimum: min, limit: max } };
    },
    { type: 'integer', minimum: min, maximum: max, description },
  );
}

export function choiceParameter<const T extends string>(
  allowedWords: readonly T[] | z.ZodEnum<{ [Word in T]: Word }>,
  description: string,
) {
  const choices = allowedWords instanceof z.ZodEnum ? allowedWords.options : allowedWords;
  const vocabulary = allowedWords instanceof z.ZodEnum ? findVocabulary(allowedWords) : null;
  return parameter<T>(
    (text) => {
      const choice = choices.find((choice) => choice === text);
      return choice === undefined ? { bad: `Not a valid choice. Choose from: ${choices.join(', ')}.` } : { ok: choice };
    },
    { type: 'string', enum: choices, description, ...(vocabulary && { vocabulary }) },
  ).optional();
}

export function listParameter(description: string) {
  return parameter<readonly string[]>((text) => ({ ok: splitList(text) }), { type: 'string', description }).optional();
}

/** Accepts one or more of the given words, separated by commas. */
export function choicesParameter<const T extends string>(
  offeredWords: readonly T[] | z.ZodEnum<{ [Word in T]: Word }>,
  description: string,
) {
  const choices: readonly T[] = offeredWords instanceof z.ZodEnum ? offeredWords.options : offeredWords;
  const vocabulary = offeredWords instanceof z.ZodEnum ? findVocabulary(offeredWords) : null;
  return parameter<readonly T[]>(
    (text) => {
      const selectedWords = splitList(text).map((word) => choices.find((choice) => choice === word));
      return selectedWords.every((choice) => choice !== undefined)
        ? { ok: selectedWords }
        : { bad: `Not a valid choice. Choose from: ${choices.join(', ')}.` };
    },
    { type: 'string', description, ...(vocabulary && { vocabulary }) },
  ).optional();
}

export const eventTypesParameter = choicesParameter(
  FEED_EVENT_TYPES,
  'Event types, separated by commas. Default: the twelve types of environments, projects, parameters and values.',
);

const uuids = parameter<readonly string[]>(
  (text) => {
    const ids = [...new Set(splitList(text).map((id) => id.toLowerCase()))];
    if (!ids.every(isUuid)) return { bad: 'Enter UUIDs, separated by commas.' };
    return withinLimit(ids);
  },
  {
    type: 'string',
    description: `Ids, separated by commas, at most ${LIMITS.idsPerRequest}. Unknown ids are ignored.`,
  },
).optional();

/** The ids of users and organizations are not UUIDs. */
const opaqueIds = parameter<readonly string[]>(
  (text) => {
    const problem = textProblem(text);
    return problem === null ? withinLimit([...new Set(splitList(text))]) : { bad: problem.message };
  },
  {
    type: 'string',
    description: `Ids, separated by commas, at most ${LIMITS.idsPerRequest}. Unknown ids are ignored.`,
  },
).optional();

const page = parameter<number>(
  (text) => {
    const request = parsePage(text, undefined);
    return request === 'not_found' ? { bad: 'Invalid page.', code: 'invalid_page' } : { ok: request.page };
  },
  { type: 'integer', description: 'Page number, from 1. A page that does not exist returns 404.' },
).default(1);

const pageSize = parameter<number>(
  (text) => {
    const request = parsePage(undefined, text);
    return { ok: request === 'not_found' ? PAGE_SIZE_DEFAULT : request.pageSize };
  },
  { type: 'integer', description: `Results per page, at most ${PAGE_SIZE_MAX}. Invalid values mean the default.` },
).default(PAGE_SIZE_DEFAULT);

export const orderingParameter = parameter<readonly OrderBy[]>(
  (text) => {
    const fields = splitList(text);
    if (fields.length > LIMITS.orderingFields)
      return { bad: `Order by at most ${LIMITS.orderingFields} fields.`, params: { limit: LIMITS.orderingFields } };
    return { ok: fields.map((word) => ({ field: word.replace(/^-/, ''), descending: word.startsWith('-') })) };
  },
  {
    type: 'string',
    description: `Field names, separated by commas, at most ${LIMITS.orderingFields}. A leading minus sorts in descending order.`,
  },
).optional();

/** The cursor before the first row. */
export const LIST_START = 'start';

const after = parameter<ListPosition | typeof LIST_START>(
  (text) => {
    const position = text === LIST_START ? text : decodeListCursor(text);
    return position === null ? { bad: 'This is not a cursor of this list.', code: 'invalid_cursor' } : { ok: position };
  },
  {
    type: 'string',
    description: [
      'Continue after the row of this cursor, in the default order; `start` begins at the first row.',
      'Rows that are added or deleted meanwhile do not cause other rows to be repeated or skipped. `next` continues by cursor.',
      'Cannot be combined with `page` or `ordering`.',
    ].join(' '),
  },
).optional();

/** The query parameters of every list. */
export const PageQuery = z.object({ ordering: orderingParameter, page, page_size: pageSize, after, id__in: uuids });
export type PageQuery = z.infer<typeof PageQuery>;

/** The query parameters of lists whose ids are not UUIDs. */
export const OpaquePageQuery = PageQuery.extend({ id__in: opaqueIds });

/** The query parameter of lists whose objects do not contain their own version. */
export const versionsParameter = booleanParameter(
  'Return when each object was last changed, which `If-Match` accepts as its version.',
).default(false);

export const namesParameter = parameter<readonly string[]>(
  (text) => {
    const problem = textProblem(text);
    return problem === null ? withinLimit([...new Set(splitList(text))], 'names') : { bad: problem.message };
  },
  { type: 'string', description: `Names, separated by commas, at most ${LIMITS.idsPerRequest}.` },
).optional();

export const nameFilters = {
  name: textParameter('Exact name.'),
  name__icontains: textParameter('Part of the name, ignoring case.'),
};

/** For lists of objects with a description. */
export const descriptionFilter = {
  description__icontains: textParameter('Part of the description, ignoring case.'),
};

export const nameAndDescriptionFilters = {
  ...nameFilters,
  ...descriptionFilter,
  name__contains: textParameter('Part of the name.'),
  name__iexact: textParameter('This name, ignoring case.'),
  name__startswith: textParameter('Beginning of the name.'),
  name__istartswith: textParameter('Beginning of the name, ignoring case.'),
};

/** The point in time of a read. A request has at most one of these parameters. */
export const pointInTimeParameters = {
  as_of: instantParameter('Read the state at this time (inclusive, microseconds).'),
  tag: textParameter('Read the state at the time of this tag of the environment. Requires `environment`.'),
  revision: countParameter(0, Number.MAX_SAFE_INTEGER, 'Read the state after this revision.').optional(),
};

/** The point in time of a read that otherwise does not depend on an environment. */
export const pointInTime = {
  ...pointInTimeParameters,
  environment: textParameter('Name or id of the environment that `tag` belongs to. It has no other effect.'),
};

/** A query parameter that can be repeated for several names or ids. `parseQuery` collects them in order. */
export function repeatedParameter(max: number, description: string) {
  return z
    .array(
      z.string().check((context) => {
        const problem = textProblem(context.value);
        if (problem) context.issues.push({ code: 'custom', input: undefined, message: problem.message });
      }),
    )
    .check((context) => {
      if (context.value.length <= max) return;
      context.issues.push({
        code: 'custom',
        input: undefined,
        message: `Give this at most ${max} times.`,
        params: { values: { limit: max } },
      });
    })
    .meta({ maxItems: max, description });
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

function withinLimit(text: readonly string[], noun = 'ids'): Converted<readonly string[]> {
  if (text.length <= LIMITS.idsPerRequest) return { ok: text };
  return {
    bad: `At most ${LIMITS.idsPerRequest} ${noun} at once. Split them into several requests.`,
    params: { limit: LIMITS.idsPerRequest },
  };
}
