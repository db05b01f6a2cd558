// The tools that show what has changed, what may be wrong, and what a change would do.
import { LINT_KINDS } from '@strata/domain';
import { readRows } from '@strata/rest-client';
import { z } from 'zod';
import { changesetsPage, parameterEntries } from '../api/history.ts';
import { describeFinding } from '../api/lint.ts';
import { readPlan } from '../api/plans.ts';
import { invalidInputError } from '../core/errors.ts';
import { maskTexts } from '../core/names-only.ts';
import { contextFor, nameSchema, PAGE_SIZE, pageParameters, position, timeSchema, tool } from './tool.ts';

const CHANGESETS_OF_A_PAGE = 20;
const PLANNED_MAX = 200;
const VALUE_MAX = 65_536;

const history = tool({
  name: 'history',
  title: 'Show history',
  description:
    'Lists the changesets of a project or of all projects, newest first, with author, message and changed objects; or, with `name`, the changes of one parameter with the texts before and after. Secrets are shown as *****.',
  input: z.strictObject({
    project: nameSchema('project (default: all; required with `name`)').optional(),
    name: nameSchema('parameter, to list its changes').optional(),
    environment: nameSchema('environment, to list only its changes').optional(),
    since: timeSchema('Only changesets of this time or later').optional(),
    query: z
      .string()
      .max(512)
      .optional()
      .describe('Only changesets whose message or external reference contains a text.'),
    ...pageParameters,
  }),
  output: z.object({
    changesets: z
      .array(z.looseObject({ revision: z.number(), at: z.string(), message: z.string().nullable() }))
      .optional(),
    changes: z.array(z.looseObject({ history_type: z.string(), modified_at: z.string() })).optional(),
  }),
  run: async (client, { project, name: parameter, environment, cursor, since, query }) => {
    const context = contextFor(client, project);
    const filters = { ...(environment && { environment }), ...(since && { since }), ...(query && { query }) };
    if (parameter === undefined) {
      const page = position(cursor, 1);
      const changesets = await changesetsPage(context, { ...filters, limit: CHANGESETS_OF_A_PAGE }, page);
      const next = changesets.next === null ? null : String(page + 1);
      return { data: { changesets: changesets.results.map(maskTexts) }, next };
    }
    if ((since ?? query ?? cursor) !== undefined)
      throw invalidInputError(
        '`name` excludes since, query and cursor.',
        'Omit them, or omit `name` to list changesets.',
      );
    const entries = await parameterEntries(context, parameter, { ...filters, limit: PAGE_SIZE + 1 });
    const omissionNotes = entries.length > PAGE_SIZE ? [`Only the newest ${PAGE_SIZE} changes are shown.`] : [];
    return { data: { changes: entries.slice(0, PAGE_SIZE).map(maskTexts) }, leftOut: omissionNotes };
  },
});

const lint = tool({
  name: 'lint',
  title: 'Lint',
  description:
    'Lists likely mistakes: redundant overrides, missing values, texts that look like secrets, unused parameters, expired values.',
  input: z.strictObject({
    project: nameSchema('project (default: all)').optional(),
    environment: nameSchema('environment (default: all)').optional(),
    kinds: z.array(z.enum(LINT_KINDS)).min(1).optional().describe('Only findings of these kinds.'),
    ...pageParameters,
  }),
  output: z.object({
    findings: z.array(
      z.looseObject({ project_name: z.string(), name: z.string(), kind: z.string(), detail: z.string() }),
    ),
  }),
  run: async (client, { project, environment, kinds, cursor }) => {
    const query = { project, environment, kind: kinds?.join(',') };
    const range = { limit: PAGE_SIZE, after: cursor };
    const { results, cursor: next } = await readRows(client, 'lint_list', { query }, range);
    return { data: { findings: results.map(describeFinding) }, next };
  },
});

const plan = tool({
  name: 'plan',
  title: 'Plan a change',
  description:
    'Shows what a change of values would do, without doing it: the effective values that would change in all projects and environments, and the operations that Strata would reject. The credential cannot apply it: a member does. Values of secrets cannot be planned.',
  input: z.strictObject({
    ...{ project: nameSchema('project'), environment: nameSchema('environment to change') },
    set: z
      .array(z.strictObject({ name: nameSchema('parameter'), value: z.string().max(VALUE_MAX).nullable() }))
      .min(1)
      .max(PLANNED_MAX)
      .optional()
      .describe('Values to set; null is an explicit null.'),
    unset: z
      .array(nameSchema('parameter'))
      .min(1)
      .max(PLANNED_MAX)
      .optional()
      .describe('Names whose values to delete.'),
    promote_from: nameSchema('environment to copy values from').optional(),
    promote_names: z
      .array(nameSchema('parameter'))
      .min(1)
      .max(PLANNED_MAX)
      .optional()
      .describe('Names to copy (default: all that are set there).'),
    create_missing: z.boolean().optional().describe('Whether `set` creates parameters, and overrides inherited ones.'),
  }),
  output: z.object({
    plan: z.looseObject({
      totals: z.record(z.string(), z.number()),
      effective_changes: z.array(z.unknown()),
      refusals: z.array(z.unknown()),
    }),
  }),
  run: async (client, { project, environment, set, unset, promote_from: from, promote_names: names, ...options }) => {
    if (names && !from) throw invalidInputError('`promote_names` requires `promote_from`.');
    const scope = { project, environment };
    const operations = [
      ...(from ? [{ promote: { project, from, to: environment, ...(names && { names }) } }] : []),
      ...(set ? [{ set: { ...scope, values: settable(set), create_missing: options.create_missing ?? false } }] : []),
      ...(unset ? [{ unset: { ...scope, names: unset } }] : []),
    ];
    if (operations.length === 0)
      throw invalidInputError('There is nothing to plan.', 'Give set, unset or promote_from.');
    // Only this credential could apply the plan by its hash, and it cannot write.
    const { plan_hash: _, ...shown } = await readPlan(client, { body: { operations } });
    return { data: { plan: maskTexts(shown) } };
  },
});

/** Strata rejects `secret: false` for a secret, so that a model never needs to know its value. */
function settable(values: readonly { readonly name: string; readonly value: string | null }[]) {
  const entries = values.map(({ name: parameter, value }) => [
    parameter,
    value === null ? { value } : { value, secret: false },
  ]);
  const byName = Object.fromEntries(entries);
  if (Object.keys(byName).length < values.length) throw invalidInputError('`set` contains a name twice.');
  return byName;
}

export const REVIEW_TOOLS = [history, lint, plan];
