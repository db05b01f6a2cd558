import { PAGE_SIZE_DEFAULT, parsePage, SEARCH_FIELDS, SEARCH_MATCHES, textProblem, WIN_STATES } from '@strata/domain';
import { z } from 'zod';
import { linkOut } from './fields.ts';
import {
  choiceParameter,
  choicesParameter,
  countParameter,
  flagParameter,
  momentParameters,
  PageQuery,
  parameter,
  repeatedParameter,
  textParameter,
} from './query.ts';
import { vocabulary } from './vocabulary.ts';

/** Bounds of reads that go through many projects: they protect the process and whoever holds the answer. */
export const WALK_LIMITS = { projects: 50, environments: 50, page: 500, defaultPage: 100, withinMs: 5_000 } as const;
const DEFAULT_WITHIN_MS = 2_000;
/** What can be searched for, in characters; of a pattern `LIMITS.pattern` and the size of what it compiles to count besides. */
const SEARCHED_LENGTH_MAX = 512;

export const SearchMatch = vocabulary(SEARCH_MATCHES, {
  name: 'SearchMatch',
  description: 'How texts are compared with what is searched for. Letter case counts.',
  meaning: (word) => {
    const meanings = {
      contains: 'The text contains it.',
      exact: 'The text is exactly it.',
      regex: 'A pattern in RE2 syntax matches somewhere in the text; `(?i)` in front ignores letter case.',
    };
    return meanings[word];
  },
});
export const SearchPlace = vocabulary(SEARCH_FIELDS, {
  name: 'SearchPlace',
  description: 'What of a parameter is searched.',
  meaning: (word) => {
    const meanings = {
      name: 'Its name.',
      value: 'The texts that apply, as they read in each environment. Never those of secrets.',
      description: 'Its description.',
    };
    return meanings[word];
  },
});
/** Parameters that every read understands which goes through many projects. */
export const walkParameters = {
  project: repeatedParameter(
    WALK_LIMITS.projects,
    `Only in this project: its name or id; given once for each, at most ${WALK_LIMITS.projects} times. Absent: in all that you may see.`,
  ).optional(),
  environment: repeatedParameter(
    WALK_LIMITS.environments,
    `Only in this environment: its name or id; given once for each, at most ${WALK_LIMITS.environments} times. Absent: in all that you may see.`,
  ).optional(),
  ...momentParameters,
  tag: textParameter('Read as it was at the instant of this tag of the environment; needs exactly one `environment`.'),
  page_size: parameter<number>(
    (text) => {
      const request = parsePage(undefined, text);
      const size = request === 'not_found' ? PAGE_SIZE_DEFAULT : request.pageSize;
      return { ok: /^[1-9]\d*$/.test(text) ? Math.min(size, WALK_LIMITS.page) : WALK_LIMITS.defaultPage };
    },
    {
      type: 'integer',
      description: `Results per page, at most ${WALK_LIMITS.page}; anything unusable means ${WALK_LIMITS.defaultPage}.`,
    },
  ).default(WALK_LIMITS.defaultPage),
  after: PageQuery.shape.after.meta({
    type: 'string',
    description:
      'Go on after this place: the `cursor` of an earlier answer. What is added or deleted in between neither repeats nor hides another row.',
  }),
  within_ms: countParameter(
    0,
    WALK_LIMITS.withinMs,
    `Milliseconds to look for, ${DEFAULT_WITHIN_MS} unless told; what is not looked at by then is left for the next page.`,
  ).default(DEFAULT_WITHIN_MS),
};

/** What every such answer says of how far it got. */
export const walkProgress = {
  revision: z.int().meta({ description: 'The revision of the organization that was read.' }),
  cursor: z.string().nullable().meta({
    description: 'Where the next page goes on, for `after`; null when everything has been looked at.',
  }),
  next: linkOut.nullable().meta({ description: 'The next page; null when everything has been looked at.' }),
  incomplete: z.boolean().meta({
    description: 'Whether the time was up before the page was full: there may be more, and `next` goes on looking.',
  }),
};

export const SearchedEnvironment = z
  .object({
    environment_id: z.string().meta({ description: 'Id of the environment.' }),
    environment_name: z.string().meta({ description: 'Name of the environment.' }),
    inherited: z.boolean().meta({
      description: 'Whether the value is set elsewhere: in a parent environment or by a project depended on.',
    }),
  })
  .meta({ id: 'SearchedEnvironment', description: 'An environment in which a value applies.' });
export type SearchedEnvironment = z.infer<typeof SearchedEnvironment>;

export const SearchWin = z
  .object({
    value: z.string().nullable().meta({
      description:
        'The text as it reads there, or about a thousand characters of a longer one; `*****` for what is secret, null for an explicit null and for a text that cannot be evaluated.',
    }),
    cut: z.boolean().meta({ description: 'Whether `value` is a part of a longer text.' }),
    matched: z.boolean().meta({ description: 'Whether this text is what was searched for; never of a secret.' }),
    secret: z.boolean().meta({ description: 'Whether the text is secret.' }),
    dynamic: z.boolean().meta({ description: 'Whether the stored text is one to evaluate.' }),
    failed: z.boolean().meta({ description: 'Whether the text cannot be evaluated there.' }),
    value_id: z.string().meta({ description: 'Id of the value.' }),
    source_parameter_id: z.string().meta({ description: 'The parameter that the value is set on.' }),
    source_project_id: z.string().meta({ description: 'The project that owns that parameter.' }),
    source_project_name: z.string().meta({ description: 'Name of that project.' }),
    source_environment_id: z.string().meta({ description: 'The environment that the value is set in.' }),
    source_environment_name: z.string().meta({ description: 'Name of that environment.' }),
    environments: z.array(SearchedEnvironment).meta({ description: 'Where it applies with this text, by name.' }),
  })
  .meta({ id: 'SearchWin', description: 'A value, and where it applies.' });
export type SearchWin = z.infer<typeof SearchWin>;

export const SearchHit = z
  .object({
    project_id: z.string().meta({ description: 'The project that shows the parameter.' }),
    project_name: z.string().meta({ description: 'Name of that project.' }),
    parameter: linkOut.meta({ description: 'The parameter that the project shows; it may be inherited.' }),
    parameter_id: z.string().meta({ description: 'Id of that parameter.' }),
    name: z.string().meta({ description: 'Its name.' }),
    description: z.string().meta({ description: 'What it is for; may be empty.' }),
    type: z.string().meta({ description: 'Name of its type.' }),
    secret: z.boolean().meta({ description: 'Whether its values must not be shown.' }),
    matched: z.array(SearchPlace).meta({ description: 'Where it was found.' }),
    wins: z.array(SearchWin).meta({
      description:
        'What applies where: the texts that match, or all that apply when the name or the description matches.',
    }),
  })
  .meta({ id: 'SearchHit', description: 'A parameter as a project shows it, with where a text applies.' });
export type SearchHit = z.infer<typeof SearchHit>;

export const SearchPage = z
  .object({
    ...walkProgress,
    skipped: z.int().meta({
      description:
        'How many texts could not be compared: a pattern takes too long for them, or they cannot be evaluated.',
    }),
    results: z.array(SearchHit).meta({ description: 'By name of the project, then by name of the parameter.' }),
  })
  .meta({ id: 'SearchPage', description: 'Where a text applies.' });
export type SearchPage = z.infer<typeof SearchPage>;

export const SearchQuery = z.object({
  q: parameter<string>(
    (text) => {
      const problem = textProblem(text);
      if (problem !== null) return { bad: problem.message };
      return [...text].length <= SEARCHED_LENGTH_MAX
        ? { ok: text }
        : { bad: `Ensure this field has no more than ${SEARCHED_LENGTH_MAX} characters.`, code: 'too_long' };
    },
    { type: 'string', description: `What to search for, at most ${SEARCHED_LENGTH_MAX} characters.` },
  ),
  match: choiceParameter(SearchMatch, 'How to compare; `contains` when left out. Letter case counts.'),
  in: choicesParameter(
    SearchPlace,
    `What to search, separated by commas: ${SEARCH_FIELDS.join(', ')}; everything when left out.`,
  ),
  state: choicesParameter(
    WIN_STATES,
    'Only values of which one of these holds, separated by commas: `own` (set on a parameter of the very project, in the very environment), `inherited` (set in a parent environment, or by a project depended on), `null` (an explicit null), `dynamic` (a text that is evaluated).',
  ),
  secret: flagParameter(
    'Only secret, or only other, parameters. The texts of secrets are not searched either way.',
  ).optional(),
  type: textParameter('Only parameters of the type of this name.'),
  ...walkParameters,
});
export type SearchQuery = z.infer<typeof SearchQuery>;
