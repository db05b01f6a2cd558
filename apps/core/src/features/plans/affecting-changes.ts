import type { AffectedScopes, EnvironmentId, OrganizationId } from '@strata/domain';
import type { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import {
  type PointInTime,
  rowsAt,
  type TableColumns,
  versionParameters,
} from '../../platform/postgres/versioned-table.ts';

/**
 * The effective values that a changed column affects: none (`nowhere`), those of the object itself (`here`), or those of
 * everything that inherits from or refers to it (`reach`).
 */
type Notice = 'nowhere' | 'here' | 'reach';

/**
 * The effect of each column on programs. Creating or deleting an object always has an effect. Values have no entry,
 * because the texts of secrets must not be compared. Code with a column that has no entry does not compile.
 */
const NOTICES = {
  environment: {
    // The value of `strata.environment` is the name of the requested environment, even if a value is inherited from
    // another one.
    name: 'here',
    description: 'nowhere',
    parent_id: 'reach',
  },
  project: {
    // The value of `strata.project` in the texts of this project, which its dependents inherit.
    name: 'reach',
    description: 'nowhere',
    parameter_name_pattern: 'nowhere',
    depends_on_id: 'reach',
  },
  parameter: {
    project_id: 'reach',
    name: 'reach',
    description: 'nowhere',
    secret: 'reach',
    type_id: 'nowhere',
    expires: 'nowhere',
    expiration_action: 'nowhere',
  },
  template: {
    project_id: 'reach',
    // The value of `strata.self`.
    name: 'reach',
    description: 'nowhere',
    body: 'reach',
  },
} as const satisfies { readonly [Table in NoticedTable]: Readonly<Record<keyof TableColumns<Table>, Notice>> };

type NoticedTable = 'environment' | 'project' | 'parameter' | 'template';

/** The cells that changes may affect. */
export interface AffectedCells extends AffectedScopes {
  /** The environments that were only renamed, which does not affect their descendants. */
  readonly renamedEnvironments: ReadonlySet<EnvironmentId>;
}

/** The columns of an object that affect programs, as texts to compare. */
interface NoticedRow {
  readonly id: string;
  readonly reach: string;
  readonly here: string;
}

function noticedRows(table: NoticedTable, ids: string, at: PointInTime): string {
  const comparedColumnsSql = (notice: Notice) => {
    const columns = Object.entries<Notice>(NOTICES[table]).filter(([, columnNotice]) => columnNotice === notice);
    return `jsonb_build_array(${columns.map(([name]) => `object.${name}`).join(', ')})::text`;
  };
  return `select object.id, ${comparedColumnsSql('reach')} as reach, ${comparedColumnsSql('here')} as here
            from ${rowsAt(table, at)} object where object.id = any(${ids}::uuid[]) and $2::bigint is not distinct from $2`;
}

const noticedAt = (at: PointInTime) =>
  [
    noticedRows('environment', '$3', at),
    noticedRows('project', '$4', at),
    noticedRows('parameter', '$5', at),
    noticedRows('template', '$6', at),
  ].join(' union all ');

/**
 * Returns the scopes and objects that changed between both states in a way that affects programs. Runs one statement
 * per state.
 */
export async function findAffectedCells(
  reader: SnapshotReader,
  organizationId: OrganizationId,
  { environments, projects, parameters, templates, values }: AffectedScopes,
  [before, after]: readonly [before: PointInTime, after: PointInTime],
): Promise<AffectedCells> {
  const changedTables = [environments, projects, parameters, templates];
  const rows = async (at: PointInTime): Promise<ReadonlyMap<string, NoticedRow>> => {
    if (changedTables.every(({ size }) => size === 0)) return new Map();
    const ids = changedTables.map((changedIds) => [...changedIds]);
    const noticedRows = await reader.query<NoticedRow>(noticedAt(at), [
      ...versionParameters(organizationId, at),
      ...ids,
    ]);
    return new Map(noticedRows.map((row) => [row.id, row]));
  };
  const [rowsBefore, rowsAfter] = [await rows(before), await rows(after)];
  const hasChanged = (column: 'reach' | 'here') => (id: string) =>
    rowsBefore.get(id)?.[column] !== rowsAfter.get(id)?.[column];
  const selectReaching = <Id extends string>(ids: ReadonlySet<Id>) => new Set([...ids].filter(hasChanged('reach')));
  const movedEnvironments = selectReaching(environments);
  return {
    environments: movedEnvironments,
    renamedEnvironments: new Set(
      [...environments].filter((id) => hasChanged('here')(id) && !movedEnvironments.has(id)),
    ),
    projects: selectReaching(projects),
    parameters: selectReaching(parameters),
    templates: selectReaching(templates),
    values,
  };
}
