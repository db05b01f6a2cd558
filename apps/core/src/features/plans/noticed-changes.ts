import type { AffectedScopes, EnvironmentId, OrganizationId } from '@strata/domain';
import type { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { type PointInTime, parametersOf, rowsAt, type TableColumns } from '../../platform/postgres/versioned-table.ts';

/** Where programs notice that a column is another one: nowhere, at the object itself, or there and wherever it reaches. */
type Notice = 'nowhere' | 'here' | 'reach';

/**
 * Which columns matter to what programs read. That an object is made or goes always does; values are not compared, since what a
 * secret is set to must not be. A column that is not decided here does not compile.
 */
const NOTICES = {
  environment: {
    // `strata.environment` is the one that is looked at, not the one that a value is inherited from
    name: 'here',
    description: 'nowhere',
    parent_id: 'reach',
  },
  project: {
    // `strata.project` in its own texts, which projects below it read, too
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
    // `strata.self`
    name: 'reach',
    description: 'nowhere',
    body: 'reach',
  },
} as const satisfies { readonly [Table in NoticedTable]: Readonly<Record<keyof TableColumns<Table>, Notice>> };

type NoticedTable = 'environment' | 'project' | 'parameter' | 'template';

/** Where programs may notice changes. */
export interface NoticedPlaces extends AffectedScopes {
  /** Like `environments`, without those below. */
  readonly renamedEnvironments: ReadonlySet<EnvironmentId>;
}

/** What of an object can be noticed, as texts to be compared. */
interface NoticedRow {
  readonly id: string;
  readonly reach: string;
  readonly here: string;
}

function noticedRows(table: NoticedTable, ids: string, at: PointInTime): string {
  const compared = (notice: Notice) => {
    const columns = Object.entries<Notice>(NOTICES[table]).filter(([, of]) => of === notice);
    return `jsonb_build_array(${columns.map(([name]) => `x.${name}`).join(', ')})::text`;
  };
  return `select x.id, ${compared('reach')} as reach, ${compared('here')} as here
            from ${rowsAt(table, at)} x where x.id = any(${ids}::uuid[]) and $2::bigint is not distinct from $2`;
}

const noticedAt = (at: PointInTime) =>
  [
    noticedRows('environment', '$3', at),
    noticedRows('project', '$4', at),
    noticedRows('parameter', '$5', at),
    noticedRows('template', '$6', at),
  ].join(' union all ');

/** Without what is the same on both sides, as far as programs can tell. One statement at each state. */
export async function noticedPlaces(
  reader: SnapshotReader,
  organizationId: OrganizationId,
  { environments, projects, parameters, templates, values }: AffectedScopes,
  [before, after]: readonly [before: PointInTime, after: PointInTime],
): Promise<NoticedPlaces> {
  const changed = [environments, projects, parameters, templates];
  const rows = async (at: PointInTime): Promise<ReadonlyMap<string, NoticedRow>> => {
    if (changed.every(({ size }) => size === 0)) return new Map();
    const ids = changed.map((each) => [...each]);
    const found = await reader.query<NoticedRow>(noticedAt(at), [...parametersOf(organizationId, at), ...ids]);
    return new Map(found.map((row) => [row.id, row]));
  };
  const [known, now] = [await rows(before), await rows(after)];
  const differs = (column: 'reach' | 'here') => (id: string) => known.get(id)?.[column] !== now.get(id)?.[column];
  const reaching = <Id extends string>(ids: ReadonlySet<Id>) => new Set([...ids].filter(differs('reach')));
  const moved = reaching(environments);
  return {
    environments: moved,
    renamedEnvironments: new Set([...environments].filter((id) => differs('here')(id) && !moved.has(id))),
    projects: reaching(projects),
    parameters: reaching(parameters),
    templates: reaching(templates),
    values,
  };
}
