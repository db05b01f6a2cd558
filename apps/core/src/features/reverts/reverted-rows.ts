import {
  type ExternalSource,
  externalSource,
  type ObjectState,
  type OrganizationId,
  REVERTIBLE_TYPES,
  type RevertibleType,
  type RuleKind,
} from '@strata/domain';
import type { EntityManager } from 'typeorm';
import {
  columnsOf,
  type PointInTime,
  rowsAt,
  type VersionedTable,
  versionParameters,
} from '../../platform/postgres/versioned-table.ts';
import { readSealed } from '../../platform/vault/sealed-text.ts';

/** The table of each type. */
export const TABLE_OF = {
  ParameterType: 'parameter_type',
  ParameterTypeRule: 'parameter_type_rule',
  Environment: 'environment',
  Project: 'project',
  Parameter: 'parameter',
  ParameterRule: 'parameter_rule',
  Template: 'template',
  Value: 'value',
} as const satisfies Readonly<Record<RevertibleType, VersionedTable>>;

/** A row of one of these tables. The table determines which columns are set. */
export interface RevertRow {
  readonly id: string;
  readonly ledger_id: string;
  readonly name?: string;
  readonly kind?: RuleKind;
  readonly constraint_text?: string;
  readonly parent_id?: string | null;
  readonly depends_on_id?: string | null;
  readonly project_id?: string;
  readonly parameter_id?: string;
  readonly environment_id?: string;
  readonly type_id?: string;
  readonly text?: string | null;
  readonly sealed?: Buffer | null;
  readonly interpolated?: boolean;
  readonly source?: ExternalSource | null;
  readonly body?: string;
}

export type RowsById = ReadonlyMap<string, RevertRow>;
export type IdsByType = ReadonlyMap<RevertibleType, readonly string[]>;

/** Reads the rows of objects at a point in time, with one statement per type. */
export async function loadRows(
  em: EntityManager,
  organizationId: OrganizationId,
  at: PointInTime,
  ids: IdsByType,
): Promise<RowsById> {
  const revertRows = new Map<string, RevertRow>();
  for (const type of REVERTIBLE_TYPES) {
    const idsOfType = ids.get(type) ?? [];
    if (idsOfType.length === 0) continue;
    const table = TABLE_OF[type];
    const columns = ['id', 'ledger_id', ...Object.keys(columnsOf(table))]
      .map((column) => (column === 'sealed' ? `${readSealed('object')} as sealed` : column))
      .join(', ');
    const rows = await em.query<RevertRow[]>(
      `select ${columns} from ${rowsAt(table, at)} object where object.id = any($3::uuid[]) and $2::bigint is not distinct from $2`,
      [...versionParameters(organizationId, at), idsOfType],
    );
    for (const row of rows) revertRows.set(row.id, row);
  }
  return revertRows;
}

/**
 * Returns the state of a row. It contains the version of a secret instead of its text, so that comparisons reveal
 * nothing about the text.
 */
export function toObjectState(type: RevertibleType, row: RevertRow): ObjectState {
  const writtenColumns = Object.keys(columnsOf(TABLE_OF[type]))
    .filter((column) => column !== 'sealed' && column !== 'text' && column !== 'source')
    .map((column) => row[column as keyof RevertRow] ?? null);
  const text = type === 'Value' ? textState(row) : [];
  const parentIds = listParentIds(type, row);
  return {
    version: row.ledger_id,
    content: JSON.stringify([...writtenColumns, ...text]),
    key: uniqueKey(type, row),
    parentId: row.parent_id ?? row.depends_on_id ?? null,
    needs: parentIds.filter((id) => id !== null && id !== undefined),
  };
}

/** The text of an external value follows its location, so a value with the same location has not changed. */
function textState(row: RevertRow): readonly unknown[] {
  const source = externalSource(row);
  if (source) return ['external', source.fqn, source.filter];
  return row.sealed ? ['sealed', row.ledger_id] : ['clear', row.text];
}

/** Returns the ids of the objects that a row refers to. */
function listParentIds(type: RevertibleType, row: RevertRow): readonly (string | null | undefined)[] {
  switch (type) {
    case 'Environment':
    case 'ParameterType':
      return [row.parent_id];
    case 'Project':
      return [row.depends_on_id];
    case 'ParameterTypeRule':
      return [row.type_id];
    case 'Parameter':
      return [row.project_id, row.type_id];
    case 'ParameterRule':
      return [row.parameter_id];
    case 'Template':
      return [row.project_id];
    case 'Value':
      return [row.parameter_id, row.environment_id];
  }
}

/** The unique key of each type. */
const KEYS: Readonly<Record<RevertibleType, readonly (keyof RevertRow & string)[]>> = {
  ParameterType: ['name'],
  ParameterTypeRule: ['type_id', 'kind'],
  Environment: ['name'],
  Project: ['name'],
  Parameter: ['project_id', 'name'],
  ParameterRule: ['parameter_id', 'kind'],
  Template: ['project_id', 'name'],
  Value: ['parameter_id', 'environment_id'],
};

function uniqueKey(type: RevertibleType, row: RevertRow): string {
  return JSON.stringify(KEYS[type].map((column) => row[column]));
}

/** Returns the objects that currently have the keys of the given rows. Runs one statement per type. */
export async function readKeyHolders(
  em: EntityManager,
  organizationId: OrganizationId,
  rows: ReadonlyMap<RevertibleType, readonly RevertRow[]>,
): Promise<ReadonlyMap<string, string>> {
  const holders = new Map<string, string>();
  for (const [type, ofType] of rows) {
    const columns = KEYS[type];
    const lists = columns.map((column) => ofType.map((row) => row[column]));
    const casts = columns.map((column, index) => `$${index + 2}::${column.endsWith('_id') ? 'uuid' : 'text'}[]`);
    const revertRows = await em.query<RevertRow[]>(
      `select object.id, ${columns.map((column) => `object.${column}`).join(', ')}
         from unnest(${casts.join(', ')}) as requested(${columns.join(', ')})
         join ${TABLE_OF[type]} object on object.organization_id = $1 and ${columns.map((column) => `object.${column} = requested.${column}`).join(' and ')}`,
      [organizationId, ...lists],
    );
    for (const row of revertRows) holders.set(`${type} ${uniqueKey(type, row)}`, row.id);
  }
  return holders;
}

/** The tables whose rows belong to an object or depend on it, with the referencing column. */
const BELOW: Readonly<Partial<Record<RevertibleType, readonly (readonly [table: string, column: string])[]>>> = {
  Environment: [
    ['environment', 'parent_id'],
    ['value', 'environment_id'],
    ['tag', 'environment_id'],
  ],
  Project: [
    ['project', 'depends_on_id'],
    ['parameter', 'project_id'],
    ['template', 'project_id'],
  ],
  ParameterType: [
    ['parameter_type', 'parent_id'],
    ['parameter', 'type_id'],
    ['parameter_type_rule', 'type_id'],
  ],
  Parameter: [
    ['value', 'parameter_id'],
    ['parameter_rule', 'parameter_id'],
  ],
};

/** Returns the ids of the current objects that belong to or depend on each object. Runs one statement per type. */
export async function idsBelow(
  em: EntityManager,
  organizationId: OrganizationId,
  objects: readonly { readonly type: RevertibleType; readonly id: string }[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const dependents: { above: string; id: string }[] = [];
  for (const [type, typeObjects] of Map.groupBy(objects, (object) => object.type)) {
    const selects = (BELOW[type] ?? []).map(
      ([table, column]) =>
        `select ${column} as above, id from ${table} where organization_id = $1 and ${column} = any($2::uuid[])`,
    );
    if (selects.length === 0) continue;
    const ids = typeObjects.map(({ id }) => id);
    // Pushes rows one by one, because a spread of many rows would exceed the limit of arguments.
    for (const row of await em.query<{ above: string; id: string }[]>(selects.join(' union all '), [
      organizationId,
      ids,
    ]))
      dependents.push(row);
  }
  const groups = Map.groupBy(dependents, ({ above }) => above);
  return new Map([...groups].map(([parentId, children]) => [parentId, children.map(({ id }) => id)]));
}

/** Returns the ids of those objects that currently exist. */
export async function readExistingIds(
  em: EntityManager,
  organizationId: OrganizationId,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const selects = ['environment', 'project', 'parameter_type', 'parameter'].map(
    (table) => `select id from ${table} where organization_id = $1 and id = any($2::uuid[])`,
  );
  const rows = await em.query<{ id: string }[]>(selects.join(' union all '), [organizationId, ids]);
  return new Set(rows.map(({ id }) => id));
}

/** Returns the current parent of every environment, project and type of the organization. */
export async function readParents(
  em: EntityManager,
  organizationId: OrganizationId,
): Promise<ReadonlyMap<string, string | null>> {
  const rows = await em.query<{ id: string; parent: string | null }[]>(
    `select id, parent_id as parent from environment where organization_id = $1
     union all select id, depends_on_id from project where organization_id = $1
     union all select id, parent_id from parameter_type where organization_id = $1`,
    [organizationId],
  );
  return new Map(rows.map(({ id, parent }) => [id, parent]));
}
