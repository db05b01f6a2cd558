import type { ExternalSource, OrganizationId, Revision, RuleKind, Uuid } from '@strata/domain';

/** The present, or a revision. Instants and tags are resolved to a revision when the request arrives. */
export type PointInTime = 'now' | Revision;

/** The type of a column. `Value` is its TypeScript type. */
export interface ColumnSpec<Value = unknown> {
  readonly type: 'text' | 'uuid' | 'boolean' | 'bytea' | 'jsonb';
  readonly isNullable: boolean;
  /** True if updates leave the column unchanged. */
  readonly isFixed: boolean;
  /** Has no value at run time. It only carries the type of the column's values. */
  readonly value?: Value;
}

const column = <Value>(type: ColumnSpec['type']): ColumnSpec<Value> => ({ type, isNullable: false, isFixed: false });
const nullable = <Value>(spec: ColumnSpec<Value>): ColumnSpec<Value | null> => ({ ...spec, isNullable: true });
const fixed = <Value>(spec: ColumnSpec<Value>): ColumnSpec<Value> => ({ ...spec, isFixed: true });

const text = column<string>('text');
const id = column<Uuid>('uuid');
const flag = column<boolean>('boolean');

/**
 * The single description of each versioned table: the columns that users write. The database sets the others (see
 * STAMPS and migrations/versioned.ts). The entity, the select, the row and the copied members of responses are derived
 * from it.
 */
const TABLES = {
  environment: { name: text, description: text, parent_id: nullable(id) },
  project: { name: text, description: text, parameter_name_pattern: text, depends_on_id: nullable(id) },
  // only the built-in types have no parent
  parameter_type: { name: text, description: text, parent_id: nullable(id) },
  parameter_type_rule: { type_id: fixed(id), kind: column<RuleKind>('text'), constraint_text: text },
  parameter: {
    project_id: fixed(id),
    name: text,
    description: text,
    secret: fixed(flag),
    type_id: id,
    expires: nullable(text),
    expiration_action: nullable(column<object>('jsonb')),
  },
  parameter_rule: { parameter_id: fixed(id), kind: column<RuleKind>('text'), constraint_text: text },
  // `text` is in clear, `sealed` holds a secret; both are null for an explicit null
  value: {
    parameter_id: fixed(id),
    environment_id: fixed(id),
    text: nullable(text),
    sealed: nullable(column<Buffer>('bytea')),
    interpolated: flag,
    // where the text of an external value comes from; see `externalSource`
    source: nullable(column<ExternalSource>('jsonb')),
  },
  template: { project_id: fixed(id), name: text, description: text, body: text },
  reference: {
    value_id: nullable(id),
    template_id: nullable(id),
    kind: text,
    project_id: nullable(id),
    named: nullable(text),
    name: text,
    target_parameter_id: nullable(id),
    target_template_id: nullable(id),
  },
} as const satisfies Record<string, Readonly<Record<string, ColumnSpec>>>;

export type VersionedTable = keyof typeof TABLES;
export const VERSIONED_TABLES = Object.keys(TABLES) as readonly VersionedTable[];
export type TableColumns<Table extends VersionedTable> = (typeof TABLES)[Table];
export type ColumnValue<Spec> = Spec extends ColumnSpec<infer Value> ? Value : never;

/** A row as it is read, with timestamps in their wire format. */
export type VersionedRow<Table extends VersionedTable> = {
  readonly id: Uuid;
  readonly ledger_id: string;
  readonly created_at: string;
  readonly modified_at: string;
} & { readonly [Name in keyof TableColumns<Table>]: ColumnValue<TableColumns<Table>[Name]> };

export function columnsOf(table: VersionedTable): Readonly<Record<string, ColumnSpec>> {
  return TABLES[table];
}

/** Returns the columns of a `VersionedRow` for a select. */
export function selectedColumns(table: VersionedTable, alias = 'object'): string {
  const plainColumns = ['id', 'ledger_id', ...Object.keys(TABLES[table])].map((name) => `${alias}.${name}`);
  const timestampColumns = ['created_at', 'modified_at'].map((name) => `${wireTimeSql(`${alias}.${name}`)} as ${name}`);
  return [...plainColumns, ...timestampColumns].join(', ');
}

/** The names of the columns of `rowsAt`. */
export const columnNames = (table: VersionedTable): readonly string[] => [...STAMPS, ...Object.keys(TABLES[table])];

const STAMPS = ['organization_id', 'id', 'revision', 'ledger_id', 'created_at', 'modified_at'];

/**
 * Returns a subquery without alias for the rows of a table at a point in time. $1 is the organization and $2 the
 * revision. Both are always bound (see parametersOf), so one text serves as one prepared statement.
 */
export function rowsAt(table: VersionedTable, at: PointInTime): string {
  const columns = columnNames(table).join(', ');
  if (at === 'now') return `(select ${columns} from ${table} where organization_id = $1)`;
  return `(select ${columns} from ${table} where organization_id = $1 and revision <= $2
           union all
           select ${columns} from ${table}_history where organization_id = $1 and revision <= $2 and revision_to > $2)`;
}

export function versionParameters(organizationId: OrganizationId, at: PointInTime): [OrganizationId, Revision | null] {
  return [organizationId, at === 'now' ? null : at];
}

/** SQL for the time at which the row `value` of the row `parameter` expires; null if it does not. */
export const EXPIRES_AT = '(value.modified_at + parameter.expires::interval)';

/** SQL for whether the text of the row `value` is set in Strata; see `externalSource`. */
export const IS_INTERNAL = `((value.source ->> 'ledger_id') is distinct from value.ledger_id::text)`;

/** Selects a timestamp column as wire text, inside and outside of JSON. */
export function wireTimeSql(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}
