import { PAGE_SIZE_DEFAULT, parsePage, SEARCH_FIELDS, SEARCH_MATCHES, textProblem, WIN_STATES } from '@strata/domain';
import { z } from 'zod';
import { linkOutput } from './fields.ts';
import {
  booleanParameter,
  choiceParameter,
  choicesParameter,
  countParameter,
  PageQuery,
  parameter,
  pointInTimeParameters,
  repeatedParameter,
  textParameter,
} from './query.ts';
import { vocabulary } from './vocabulary.ts';

/** The limits of reads across many projects. They limit the memory that the server and the client need. */
const WALK_LIMITS = { projects: 50, environments: 50, page: 500, defaultPage: 100, withinMs: 5_000 } as const;
const DEFAULT_WITHIN_MS = 2_000;
/** A result has at most one effective value per environment. */
const WINS_MAX = 10_000;
/**
 * The maximum length of a search text in characters. A pattern is also limited by `LIMITS.pattern` and its compiled
 * size.
 */
const SEARCHED_LENGTH_MAX = 512;

export const SearchMatch = vocabulary(SEARCH_MATCHES, {
  name: 'SearchMatch',
  description: 'How texts are compared with the search text.',
  meaning: (word) => {
    const meanings = {
      contains: 'The text contains the search text.',
      prefix: 'The text starts with the search text.',
      exact: 'The text equals the search text.',
      regex:
        'The search text is a pattern in RE2 syntax that matches anywhere in the text. Prefix `(?i)` to ignore case.',
    };
    return meanings[word];
  },
});
const SearchPlace = vocabulary(SEARCH_FIELDS, {
  name: 'SearchPlace',
  description: 'The members of a parameter that are searched.',
  meaning: (word) => {
    const meanings = {
      name: 'The name of the parameter.',
      value: 'The effective texts in each environment. Secret values are never searched.',
      description: 'The description of the parameter.',
    };
    return meanings[word];
  },
});
/** The query parameters of every read across many projects. */
export const walkParameters = {
  project: repeatedParameter(
    WALK_LIMITS.projects,
    `Name or id of a project to search. Repeat the parameter for several, at most ${WALK_LIMITS.projects} times. Default: all that you can access.`,
  ).optional(),
  environment: repeatedParameter(
    WALK_LIMITS.environments,
    `Name or id of an environment to search. Repeat the parameter for several, at most ${WALK_LIMITS.environments} times. Default: all that you can access.`,
  ).optional(),
  ...pointInTimeParameters,
  tag: textParameter('Read the state at the time of this tag of the environment. Requires exactly one `environment`.'),
  page_size: parameter<number>(
    (text) => {
      const request = parsePage(undefined, text);
      const size = request === 'not_found' ? PAGE_SIZE_DEFAULT : request.pageSize;
      return { ok: /^[1-9]\d*$/.test(text) ? Math.min(size, WALK_LIMITS.page) : WALK_LIMITS.defaultPage };
    },
    {
      type: 'integer',
      description: `Results per page, at most ${WALK_LIMITS.page}. Invalid values mean ${WALK_LIMITS.defaultPage}.`,
    },
  ).default(WALK_LIMITS.defaultPage),
  after: PageQuery.shape.after.meta({
    type: 'string',
    description:
      'Continue after this position: the `cursor` of an earlier response. Rows that are added or deleted meanwhile do not cause other rows to be repeated or skipped.',
  }),
  within_ms: countParameter(
    0,
    WALK_LIMITS.withinMs,
    `Time limit in milliseconds; default ${DEFAULT_WITHIN_MS}. The next page continues where the search stopped.`,
  ).default(DEFAULT_WITHIN_MS),
};

/** The members that the responses of all reads across many projects share. */
export const walkProgress = {
  revision: z.int().meta({ description: 'The revision of the organization that was read.' }),
  cursor: z.string().nullable().meta({
    description: 'Position to continue after, to pass as `after`; null if the search is complete.',
  }),
  next: linkOutput.nullable().meta({ description: 'URL of the next page; null if the search is complete.' }),
  incomplete: z.boolean().meta({
    description:
      'Whether the time limit was reached before the page was full. There may be more results; `next` continues.',
  }),
};

export const SearchedEnvironment = z
  .object({
    environment_id: z.string().meta({ description: 'Id of the environment.' }),
    environment_name: z.string().meta({ description: 'Name of the environment.' }),
    inherited: z.boolean().meta({
      description: 'Whether the value is inherited from a parent environment or from another project.',
    }),
  })
  .meta({ id: 'SearchedEnvironment', description: 'An environment in which a value is effective.' });
export type SearchedEnvironment = z.infer<typeof SearchedEnvironment>;

export const SearchWin = z
  .object({
    value: z.string().nullable().meta({
      description:
        'The effective text, or about 1,000 characters of a longer one; `*****` for a secret; null for an explicit null and for a text that cannot be evaluated.',
    }),
    cut: z.boolean().meta({ description: 'Whether `value` is an excerpt of a longer text.' }),
    matched: z.boolean().meta({ description: 'Whether this text matches the search; always false for a secret.' }),
    secret: z.boolean().meta({ description: 'Whether the text is secret.' }),
    dynamic: z.boolean().meta({ description: 'Whether the stored text is evaluated (dynamic).' }),
    failed: z.boolean().meta({ description: 'Whether the text cannot be evaluated.' }),
    value_id: z.string().meta({ description: 'Id of the value.' }),
    source_parameter_id: z.string().meta({ description: 'The parameter that the value is set on.' }),
    source_project_id: z.string().meta({ description: 'The project that owns that parameter.' }),
    source_project_name: z.string().meta({ description: 'Name of that project.' }),
    source_environment_id: z.string().meta({ description: 'The environment that the value is set in.' }),
    source_environment_name: z.string().meta({ description: 'Name of that environment.' }),
    environments: z
      .array(SearchedEnvironment)
      .meta({ description: 'The environments in which the value is effective with this text, sorted by name.' }),
  })
  .meta({ id: 'SearchWin', description: 'A value and the environments in which it is effective.' });
export type SearchWin = z.infer<typeof SearchWin>;

export const SearchHit = z
  .object({
    project_id: z.string().meta({ description: 'The project that shows the parameter.' }),
    project_name: z.string().meta({ description: 'Name of that project.' }),
    parameter: linkOutput.meta({ description: 'The parameter, which may be inherited.' }),
    parameter_id: z.string().meta({ description: 'Id of that parameter.' }),
    name: z.string().meta({ description: 'Name of the parameter.' }),
    description: z.string().meta({ description: 'Description; may be empty.' }),
    type: z.string().meta({ description: 'Name of the type.' }),
    secret: z.boolean().meta({ description: 'Whether its values are secret.' }),
    matched: z.array(SearchPlace).meta({ description: 'The members that match.' }),
    wins: z.array(SearchWin).meta({
      description: 'The effective values: those that match, or all if the name or the description matches.',
    }),
    wins_left_out: z.int().meta({ description: 'Number of further effective values, because of `wins_max`.' }),
  })
  .meta({ id: 'SearchHit', description: 'A parameter of a project that matches, with its effective values.' });
export type SearchHit = z.infer<typeof SearchHit>;

export const SearchPage = z
  .object({
    ...walkProgress,
    skipped: z.int().meta({
      description:
        'Number of texts that could not be searched, because the pattern takes too long or the text cannot be evaluated.',
    }),
    checked: z.int().nullable().meta({
      description: 'Number of names in `to_check` that this page and the earlier ones have processed.',
    }),
    to_check: z.int().nullable().meta({
      description:
        'Number of names to process: those whose texts may match, counted once per project that shows them. null if only the search itself can determine them.',
    }),
    results: z.array(SearchHit).meta({ description: 'The results, sorted by project name and parameter name.' }),
  })
  .meta({ id: 'SearchPage', description: 'The results of a search.' });
export type SearchPage = z.infer<typeof SearchPage>;

export const SearchQuery = z.object({
  q: parameter<string>(
    (text) => {
      const problem = textProblem(text);
      if (problem !== null) return { bad: problem.message };
      return [...text].length <= SEARCHED_LENGTH_MAX
        ? { ok: text }
        : {
            bad: `Ensure this field has no more than ${SEARCHED_LENGTH_MAX} characters.`,
            code: 'too_long',
            params: { limit: SEARCHED_LENGTH_MAX },
          };
    },
    { type: 'string', description: `The search text, at most ${SEARCHED_LENGTH_MAX} characters.` },
  ),
  match: choiceParameter(
    SearchMatch,
    'How to compare; default `contains`. The comparison is case-sensitive, unless `ignore_case` is true.',
  ),
  ignore_case: booleanParameter('true ignores letter case.').default(false),
  in: choicesParameter(
    SearchPlace,
    `The members to search, separated by commas; default all: ${SEARCH_FIELDS.join(', ')}.`,
  ),
  state: choicesParameter(
    WIN_STATES,
    "Only values in one of these states, separated by commas: `own` (set on the project's own parameter, in this environment), `inherited` (set in a parent environment or in another project), `null` (an explicit null), `dynamic` (a text that is evaluated).",
  ),
  secret: booleanParameter(
    'true returns only secret parameters, false only others. Secret values are never searched.',
  ).optional(),
  type: textParameter('Only parameters of the type with this name.'),
  wins_max: countParameter(0, WINS_MAX, 'Effective values to return for each result; default all.').optional(),
  ...walkParameters,
});
export type SearchQuery = z.infer<typeof SearchQuery>;
