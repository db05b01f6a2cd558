import type { AppliedChangeset, OperationError } from '@strata/contract';
import type { TestOrganization } from '@strata/testkit';
import fc from 'fast-check';
import type { CoreInProcess } from './core-in-process.ts';
import { query } from './query.ts';

/**
 * A change that is independent of the present objects: each number selects one of the objects that exist when it is
 * applied.
 */
export interface RandomChange {
  readonly kind: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

/** `kind` selects the kinds of changes; all are equally likely by default. */
export const randomChanges = (
  length: number,
  kind: fc.Arbitrary<number> = fc.nat(),
): fc.Arbitrary<readonly RandomChange[]> =>
  fc.array(fc.record({ kind, a: fc.nat(), b: fc.nat(), c: fc.nat() }), {
    minLength: length,
    maxLength: length,
    size: 'max',
  });

interface Row {
  readonly id: string;
  readonly name: string;
  readonly above: string;
  readonly more: string;
}

const LISTS = {
  environment: `select id, name, '' as above, '' as more from environment where parent_id is not null and organization_id = $1`,
  anyEnvironment: `select id, name, '' as above, '' as more from environment where organization_id = $1`,
  project: `select id, name, '' as above, '' as more from project where organization_id = $1`,
  parameter: `select id, name, project_id as above, '' as more from parameter where organization_id = $1`,
  value: `select value.id, parameter.name, parameter.project_id as above, parameter.id as more from value join parameter using (organization_id)
           where parameter.id = value.parameter_id and organization_id = $1`,
  rule: `select rule.id, rule.kind as name, parameter.project_id as above, parameter.id as more from parameter_rule rule join parameter using (organization_id)
          where parameter.id = rule.parameter_id and organization_id = $1`,
  template: `select id, name, project_id as above, '' as more from template where organization_id = $1`,
  type: `select id, name, '' as above, '' as more from parameter_type where organization_id = $1 and parent_id is not null`,
  anyType: `select id, name, '' as above, '' as more from parameter_type where organization_id = $1`,
  typeRule: `select id, kind as name, type_id as above, '' as more from parameter_type_rule where organization_id = $1`,
} as const;
type Lists = Readonly<Record<keyof typeof LISTS, readonly Row[]>>;

async function readLists(core: CoreInProcess, { id }: TestOrganization): Promise<Lists> {
  const lists = Object.entries(LISTS).map(
    async ([name, sql]) => [name, await query<Row>(core, `${sql} order by 2, 1`, [id])] as const,
  );
  return Object.fromEntries(await Promise.all(lists)) as unknown as Lists;
}

const NAMES = ['A', 'B', 'C', 'D', 'E'];
const TEXTS = ['1', '22', 'text', '', 'a longer text', '7'];
const RULES = [
  ['max_len', '3'],
  ['min_len', '1'],
  ['max', '50'],
  ['min', '0'],
  ['regex', '^[0-9a-z ]*$'],
] as const;

let count = 0;
function fresh(prefix: string): string {
  count += 1;
  return `${prefix}${count}`;
}
const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(list.length, 1)];

type Maker = (change: RandomChange, lists: Lists) => object | null;

function on(row: Row | undefined, operation: string, path: (row: Row) => object, body?: object): object | null {
  return row ? { operation, path: path(row), ...(body && { body }) } : null;
}
const itself = ({ id }: Row) => ({ id });
const ofProject = ({ id, above }: Row) => ({ id, project_pk: above });
const inProject = ({ id }: Row) => ({ project_pk: id });
const ofParameter = ({ id, above, more }: Row) => ({ id, project_pk: above, parameter_pk: more });
const inParameter = ({ id, above }: Row) => ({ project_pk: above, parameter_pk: id });
const ofType = ({ id, above }: Row) => ({ id, parametertype_pk: above });

const pickName = (at: number) => NAMES[at % NAMES.length] ?? '';
const pickText = (at: number) => TEXTS[at % TEXTS.length] ?? '';
const pickParent = ({ b }: RandomChange, { anyEnvironment }: Lists) => pick(anyEnvironment, b)?.id;
const pickType = ({ b }: RandomChange, { anyType }: Lists) => pick(anyType, b);
const pickDependency = ({ b, c }: RandomChange, { project }: Lists) => (c % 2 ? (pick(project, b)?.id ?? null) : null);
const pickRule = ({ c }: RandomChange) => {
  const [type, constraint] = RULES[c % RULES.length] ?? RULES[0];
  return { type, constraint };
};

const ENVIRONMENTS: readonly Maker[] = [
  (change, lists) => ({
    operation: 'environments_create',
    body: { name: fresh('e'), parent: pickParent(change, lists) },
  }),
  // Uses the same few names, so that objects exchange names.
  ({ a, c }, { environment }) =>
    on(pick(environment, a), 'environments_partial_update', itself, { name: c % 3 ? `x${c % 3}` : fresh('e') }),
  (change, lists) =>
    on(pick(lists.environment, change.a), 'environments_partial_update', itself, { parent: pickParent(change, lists) }),
  ({ a }, { environment }) => on(pick(environment, a), 'environments_destroy', itself),
];

const PROJECTS: readonly Maker[] = [
  (change, lists) => ({
    operation: 'projects_create',
    body: { name: fresh('p'), depends_on: pickDependency(change, lists) },
  }),
  ({ a, c }, { project }) =>
    on(pick(project, a), 'projects_partial_update', itself, {
      name: c % 3 ? `y${c % 3}` : fresh('p'),
      description: pickText(c),
    }),
  (change, lists) =>
    on(pick(lists.project, change.a), 'projects_partial_update', itself, { depends_on: pickDependency(change, lists) }),
  ({ a }, { project }) => on(pick(project, a), 'projects_destroy', itself),
];

const PARAMETERS: readonly Maker[] = [
  (change, lists) =>
    on(pick(lists.project, change.a), 'projects_parameters_create', inProject, {
      name: pickName(change.b),
      type: pickType(change, lists)?.name ?? 'string',
      secret: change.c % 3 === 0,
    }),
  ({ a, b, c }, { parameter }) =>
    on(pick(parameter, a), 'projects_parameters_partial_update', ofProject, {
      name: pickName(b),
      description: pickText(c),
    }),
  (change, lists) =>
    on(pick(lists.parameter, change.a), 'projects_parameters_partial_update', ofProject, {
      type: pickType(change, lists)?.name ?? 'string',
    }),
  ({ a }, { parameter }) => on(pick(parameter, a), 'projects_parameters_destroy', ofProject),
  (change, { parameter }) =>
    on(pick(parameter, change.a), 'projects_parameters_rules_create', inParameter, pickRule(change)),
  (change, { rule }) =>
    on(pick(rule, change.a), 'projects_parameters_rules_partial_update', ofParameter, pickRule(change)),
  ({ a }, { rule }) => on(pick(rule, a), 'projects_parameters_rules_destroy', ofParameter),
];

const VALUES: readonly Maker[] = [
  (change, lists) =>
    on(pick(lists.parameter, change.a), 'projects_parameters_values_create', inParameter, {
      environment: pickParent(change, lists),
      internal_value: change.c % 7 ? pickText(change.c) : null,
    }),
  (change, lists) =>
    on(pick(lists.parameter, change.a), 'projects_parameters_values_create', inParameter, {
      environment: pickParent(change, lists),
      internal_value: `say {{ ${pickName(change.b)} }}`,
      interpolated: true,
    }),
  ({ a, c }, { value }) =>
    on(pick(value, a), 'projects_parameters_values_partial_update', ofParameter, { internal_value: pickText(c) }),
  ({ a, b }, { value }) =>
    on(pick(value, a), 'projects_parameters_values_partial_update', ofParameter, {
      internal_value: `new {{ ${pickName(b)} }}`,
      interpolated: true,
    }),
  ({ a }, { value }) => on(pick(value, a), 'projects_parameters_values_destroy', ofParameter),
  (change, lists) => {
    const project = pick(lists.project, change.a)?.id;
    const values = { [pickName(change.b)]: pickText(change.c), [pickName(change.c)]: pickText(change.a) };
    return project ? { set: { project, environment: pickParent(change, lists), values, create_missing: true } } : null;
  },
];

const TYPES: readonly Maker[] = [
  (change, lists) => ({ operation: 'types_create', body: { name: fresh('t'), parent: pickType(change, lists)?.id } }),
  (change, lists) =>
    on(
      pick(lists.type, change.a),
      'types_partial_update',
      itself,
      change.c % 2 ? { name: fresh('t') } : { parent: pickType(change, lists)?.id },
    ),
  ({ a }, { type }) => on(pick(type, a), 'types_destroy', itself),
  (change, { type }) =>
    on(pick(type, change.a), 'types_rules_create', ({ id }) => ({ parametertype_pk: id }), pickRule(change)),
  (change, { typeRule }) => on(pick(typeRule, change.a), 'types_rules_partial_update', ofType, pickRule(change)),
  ({ a }, { typeRule }) => on(pick(typeRule, a), 'types_rules_destroy', ofType),
];

const TEMPLATES: readonly Maker[] = [
  ({ a, b }, { project }) =>
    on(pick(project, a), 'projects_templates_create', inProject, { name: fresh('m'), body: `<{{ ${pickName(b)} }}>` }),
  ({ a, b, c }, { template }) =>
    on(pick(template, a), 'projects_templates_partial_update', ofProject, {
      body: c % 2 ? 'plain' : `{{ ${pickName(b)} }}!`,
      ...(b % 2 && { name: fresh('m') }),
    }),
  ({ a }, { template }) => on(pick(template, a), 'projects_templates_destroy', ofProject),
];

const MAKERS = [...ENVIRONMENTS, ...PROJECTS, ...PARAMETERS, ...VALUES, ...VALUES, ...TYPES, ...TEMPLATES];

const SET = VALUES.at(-1) as Maker;
const HARMLESS = [...ENVIRONMENTS.slice(0, 3), ...PROJECTS.slice(0, 2), ...TYPES.slice(0, 1), ...TEMPLATES.slice(0, 2)];

/** The kinds of changes that rarely conflict with each other, for large changesets. */
export const COMPATIBLE_KINDS: fc.Arbitrary<number> = fc
  .oneof({ weight: 3, arbitrary: fc.constant(SET) }, { weight: 1, arbitrary: fc.constantFrom(...HARMLESS) })
  .map((maker) => MAKERS.indexOf(maker));

/** Returns the operation of a change for the present objects; null if no object is suitable. */
const buildOperation: Maker = (change, lists) => pick(MAKERS, change.kind)?.(change, lists) ?? null;

/** Applies the changes that are possible as one changeset, and returns their operations; null if none is possible. */
export async function applyPossible(
  core: CoreInProcess,
  organization: TestOrganization,
  requestedChanges: readonly RandomChange[],
): Promise<{ readonly revision: number; readonly operations: readonly object[] } | null> {
  const lists = await readLists(core, organization);
  let operations = requestedChanges.flatMap((change) => buildOperation(change, lists) ?? []);
  while (operations.length > 0) {
    const response = await organization.owner.post<
      AppliedChangeset & { readonly operations: readonly OperationError[] }
    >('changesets/', { operations });
    if (response.status === 201)
      return response.body.url === null ? null : { revision: response.body.revision, operations };
    const rejectedIndexes = new Set((response.body.operations as readonly OperationError[]).map(({ index }) => index));
    if (rejectedIndexes.size === 0) throw new Error(`Rejected without a reason: ${response.text}`);
    operations = operations.filter((_, index) => !rejectedIndexes.has(index));
  }
  return null;
}

const COLUMNS: Readonly<Record<string, string>> = {
  environment: 'id, name, description, parent_id',
  project: 'id, name, description, parameter_name_pattern, depends_on_id',
  parameter_type: 'id, name, description, parent_id',
  parameter_type_rule: 'id, type_id, kind, constraint_text',
  parameter: 'id, project_id, name, description, secret, type_id',
  parameter_rule: 'id, parameter_id, kind, constraint_text',
  value: 'id, parameter_id, environment_id, text, sealed is null as is_clear, interpolated',
  template: 'id, project_id, name, description, body',
  reference: 'value_id, template_id, kind, project_id, named, name, target_parameter_id, target_template_id',
};

/** Returns the whole configuration from the database, with ids but without instants and revisions. */
export async function readConfiguration(
  core: CoreInProcess,
  { id }: TestOrganization,
): Promise<Readonly<Record<string, unknown>>> {
  const tables = Object.entries(COLUMNS).map(async ([table, columns]) => {
    const rows = await query<{ row: string }>(
      core,
      `select listed::text as row from (select ${columns} from ${table} where organization_id = $1) listed order by 1`,
      [id],
    );
    return [table, rows.map(({ row }) => row)] as const;
  });
  return Object.fromEntries(await Promise.all(tables));
}
