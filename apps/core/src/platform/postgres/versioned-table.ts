import type { OrganizationId, Revision } from '@strata/domain';

/** The present, or a revision; instants and tags are resolved to a revision when the request arrives. */
export type PointInTime = 'now' | Revision;

const STAMPS = ['organization_id', 'id', 'revision', 'ledger_id', 'created_at', 'modified_at'];

const COLUMNS = {
  environment: [...STAMPS, 'name', 'description', 'parent_id'],
  project: [...STAMPS, 'name', 'description', 'parameter_name_pattern', 'depends_on_id'],
  parameter_type: [...STAMPS, 'name', 'description', 'parent_id'],
  parameter_type_rule: [...STAMPS, 'type_id', 'kind', 'constraint_text'],
  parameter: [...STAMPS, 'project_id', 'name', 'description', 'secret', 'type_id', 'expires', 'expiration_action'],
  parameter_rule: [...STAMPS, 'parameter_id', 'kind', 'constraint_text'],
  value: [...STAMPS, 'parameter_id', 'environment_id', 'text', 'sealed', 'interpolated'],
  template: [...STAMPS, 'project_id', 'name', 'description', 'body'],
  reference: [
    ...STAMPS,
    'value_id',
    'template_id',
    'kind',
    'project_id',
    'named',
    'name',
    'target_parameter_id',
    'target_template_id',
  ],
} as const satisfies Record<string, readonly string[]>;

export type VersionedTable = keyof typeof COLUMNS;

/**
 * The rows of a table at a point in time, as a subquery without alias. $1 is the organization and $2 the revision;
 * both are always bound (see parametersOf), so one text serves as one prepared statement.
 */
export function rowsAt(table: VersionedTable, at: PointInTime): string {
  const columns = COLUMNS[table].join(', ');
  if (at === 'now') return `(select ${columns} from ${table} where organization_id = $1)`;
  return `(select ${columns} from ${table} where organization_id = $1 and revision <= $2
           union all
           select ${columns} from ${table}_history where organization_id = $1 and revision <= $2 and revision_to > $2)`;
}

export function parametersOf(organizationId: OrganizationId, at: PointInTime): [OrganizationId, Revision | null] {
  return [organizationId, at === 'now' ? null : at];
}

/** Timestamp columns as wire text, inside JSON as everywhere. */
export function wireTime(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}
