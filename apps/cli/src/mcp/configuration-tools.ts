// The tools that list and read configuration.
import type { CallerAbilities, Environment, Project } from '@strata/contract';
import { SEARCH_FIELDS, SEARCH_MATCHES } from '@strata/domain';
import { readAllRows, readRows } from '@strata/rest-client';
import { z } from 'zod';
import { comparisonRequest } from '../api/compare.ts';
import { describeValue, readValues } from '../api/effective.ts';
import { readExplanation } from '../api/explain.ts';
import { searchQuery } from '../api/search.ts';
import { maskTexts } from '../core/names-only.ts';
import {
  contextFor,
  nameSchema,
  PAGE_SIZE,
  pageAt,
  pageParameters,
  pointInTimeArgs,
  position,
  tool,
  toPointInTimeOptions,
} from './tool.ts';

const VALUES_OF_A_HIT_MAX = 5;
const text = z.string().nullable();

const scopeRow = {
  name: z.string(),
  description: z.string(),
  accessible: z.boolean().describe('Whether this credential may read its contents.'),
};

/** Returns a page of projects or environments, each with the name of the one that it inherits from. */
function scopes<T extends Project | Environment>(
  all: readonly T[],
  cursor: string | undefined,
  { scopes: restrictedScopes }: CallerAbilities,
  readParent: (row: T) => string | null,
) {
  const forbiddenScopes = new Set(
    restrictedScopes.filter(({ abilities }) => abilities.length === 0).map(({ scope }) => scope),
  );
  const names = new Map<string | null, string>(all.map((row) => [row.url, row.name]));
  const { rows, next } = pageAt(all, cursor);
  const shownRows = rows.map((row) => ({
    ...{ name: row.name, description: row.description, parent: names.get(readParent(row)) ?? null },
    accessible: !forbiddenScopes.has(row.id),
  }));
  return { rows: shownRows, next };
}

const listProjects = tool({
  name: 'list_projects',
  title: 'List projects',
  description: 'Lists the projects of the organization, and which other project each inherits from.',
  input: z.strictObject(pageParameters),
  output: z.object({
    projects: z.array(z.object({ ...scopeRow, depends_on: text.describe('The project that it inherits from.') })),
  }),
  run: async (client, { cursor }, abilities) => {
    const projects = await readAllRows(client, 'projects_list');
    const { rows, next } = scopes(projects, cursor, abilities, (project) => project.depends_on);
    return { data: { projects: rows.map(({ parent, ...row }) => ({ ...row, depends_on: parent })) }, next };
  },
});

const listEnvironments = tool({
  name: 'list_environments',
  title: 'List environments',
  description: 'Lists the environments of the organization, which form a tree: each inherits the values of its parent.',
  input: z.strictObject(pageParameters),
  output: z.object({ environments: z.array(z.object({ ...scopeRow, parent: text })) }),
  run: async (client, { cursor }, abilities) => {
    const environments = await readAllRows(client, 'environments_list');
    const { rows, next } = scopes(environments, cursor, abilities, ({ parent }) => parent);
    return { data: { environments: rows }, next };
  },
});

const readConfiguration = tool({
  name: 'read_configuration',
  title: 'Read configuration',
  description:
    'Reads the effective values of a project in an environment, by name, and where each is set. Secrets are shown as *****.',
  input: z.strictObject({
    ...{ project: nameSchema('project'), environment: nameSchema('environment') },
    names: z
      .array(nameSchema('parameter'))
      .min(1)
      .max(PAGE_SIZE)
      .optional()
      .describe('Only these names (default: all).'),
    ...pointInTimeArgs,
    ...pageParameters,
  }),
  output: z.object({
    total: z.number().describe('Number of values, on all pages.'),
    without_value: z.array(z.string()).describe('The requested names that have no value.'),
    values: z.array(
      z.object({
        name: z.string(),
        value: text.describe('The effective value; ***** for a secret, null for an explicit null.'),
        secret: z.boolean(),
        set_in: z.object({ project: z.string(), environment: z.string() }),
      }),
    ),
  }),
  run: async (client, { project, environment, names, cursor, ...at }) => {
    const effectiveValues = await readValues(contextFor(client, project, environment), toPointInTimeOptions(at), names);
    const entries = Object.entries(effectiveValues);
    const { rows, next } = pageAt(entries, cursor);
    const missingNames = (names ?? []).filter((parameter) => !Object.hasOwn(effectiveValues, parameter));
    const values = rows.map(([parameter, value]) => ({ name: parameter, ...describeValue(value) }));
    return { data: { total: entries.length, without_value: missingNames, values }, next };
  },
});

const search = tool({
  name: 'search',
  title: 'Search',
  description:
    'Searches names, values and descriptions in all projects and environments that the credential may read. Secret values are never searched.',
  input: z.strictObject({
    text: z.string().min(1).max(512).describe('Text to search for.'),
    project: nameSchema('project to search (default: all)').optional(),
    environment: nameSchema('environment to search (default: all)').optional(),
    in: z.array(z.enum(SEARCH_FIELDS)).min(1).optional().describe('Where to search (default: everywhere).'),
    match: z.enum(SEARCH_MATCHES).optional().describe('How to match (default: contains).'),
    ignore_case: z.boolean().optional().describe('Whether to ignore letter case.'),
    ...pageParameters,
  }),
  output: z.object({
    results: z.array(z.looseObject({ project_name: z.string(), name: z.string(), matched: z.array(z.string()) })),
  }),
  run: async (client, { text: q, cursor, in: members, match, ignore_case: ignoreCase, project, environment }) => {
    const query = searchQuery(q, { in: members, match, ignoreCase, project, environment });
    const limitedQuery = { query: { ...query, wins_max: VALUES_OF_A_HIT_MAX } };
    const range = { limit: PAGE_SIZE, after: cursor };
    const { results, cursor: next } = await readRows(client, 'search_list', limitedQuery, range);
    return { data: { results: results.map(maskTexts) }, next };
  },
});

const explain = tool({
  name: 'explain',
  title: 'Explain a value',
  description:
    'Explains why a name has its effective value in an environment, or why it has none: all cells that were checked, what it is made of, what uses it, and when it last changed.',
  input: z.strictObject({
    ...{ project: nameSchema('project'), environment: nameSchema('environment'), name: nameSchema('parameter') },
    ...pointInTimeArgs,
  }),
  output: z.object({ explanation: z.looseObject({ name: z.string(), environment_name: z.string() }) }),
  run: async (client, { project, environment, name: parameter, ...at }) => {
    const explanation = await readExplanation(
      contextFor(client, project, environment),
      parameter,
      toPointInTimeOptions(at),
    );
    return { data: { explanation: maskTexts(explanation) } };
  },
});

const compare = tool({
  name: 'compare',
  title: 'Compare',
  description:
    'Lists the names whose effective values differ between two environments, projects or points in time. Secrets are compared, but shown as *****.',
  input: z.strictObject({
    project: nameSchema('project'),
    left: z.strictObject({ environment: nameSchema('environment'), ...pointInTimeArgs }),
    right: z.strictObject({
      environment: nameSchema('environment (default: that on the left)').optional(),
      project: nameSchema('project (default: the same)').optional(),
      ...pointInTimeArgs,
    }),
    ...pageParameters,
  }),
  output: z.object({
    total: z.number().describe('Number of names that differ, on all pages.'),
    differences: z.array(z.looseObject({ name: z.string(), cells: z.array(z.unknown()) })),
  }),
  run: async (client, { project, left, right, cursor }) => {
    const [from, to] = [toPointInTimeOptions(left), toPointInTimeOptions(right)];
    const request = await comparisonRequest(contextFor(client, project), left.environment, right.environment, {
      ...{ leftRevision: from.revision, leftAsOf: from.asOf, leftTag: from.tag },
      ...{ rightRevision: to.revision, rightAsOf: to.asOf, rightTag: to.tag, rightProject: right.project },
    });
    const page = position(cursor, 1);
    const differences = await client.call('projects_compare_list', {
      ...request,
      query: { ...request.query, page, page_size: PAGE_SIZE },
    });
    const rows = differences.results.map(maskTexts);
    return {
      data: { total: differences.count, differences: rows },
      next: differences.next === null ? null : String(page + 1),
    };
  },
});

export const CONFIGURATION_TOOLS = [listProjects, listEnvironments, readConfiguration, search, explain, compare];
