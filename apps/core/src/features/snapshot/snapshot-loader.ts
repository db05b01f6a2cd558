import { Injectable } from '@nestjs/common';
import { isUuid, type OrganizationId, type ParameterId, type ProjectId } from '@strata/domain';
import type { Head } from '../../platform/ledger/heads.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import {
  type PointInTime,
  parametersOf,
  rowsAt,
  selectedColumns,
  wireTime,
} from '../../platform/postgres/versioned-table.ts';
import type { ConfigurationSnapshot, ParameterRecord, TextRecord, ValueRecord, ViewedParameter } from './snapshot.ts';
import {
  environmentLineage,
  jsonList,
  ownedParameters,
  ownRules,
  projectChain,
  referrersOf,
  stampsOf,
  valuesIn,
} from './sql-parts.ts';

/** What is read of the rows: what applies and to what it is, or all that answers show of them. */
export interface Columns {
  readonly parameters: 'effective' | 'complete';
  readonly values: 'none' | 'effective' | 'complete';
  /** Whether the parameters' own rules are needed. */
  readonly rules?: boolean;
  /** Whether it matters who refers to the parameters. */
  readonly referrers?: boolean;
}

export interface SnapshotQuery extends Columns {
  readonly organizationId: OrganizationId;
  readonly at: PointInTime;
  readonly projectIds: readonly ProjectId[];
  /** Further ones by name. */
  readonly projectNames?: readonly string[] | undefined;
  /** Names or ids: only values that can be seen there are read. Absent: those of all environments. */
  readonly environments?: readonly string[] | undefined;
  /** Only parameters of these exact names, or that share their name with this parameter. */
  readonly names?: readonly string[] | undefined;
  readonly parameterId?: ParameterId | undefined;
}

export type ParametersAs<Wanted extends Columns> = Wanted['parameters'] extends 'complete'
  ? ParameterRecord
  : ViewedParameter;
export type ValuesAs<Wanted extends Columns> = Wanted['values'] extends 'effective' ? TextRecord : ValueRecord;

const PROJECT_COLUMNS = 'id, name, depends_on_id as "dependsOnId"';
const EFFECTIVE_PARAMETER = 'x.id, x.project_id as "projectId", x.name, x.description, x.secret';
const EFFECTIVE_VALUE =
  'v.id, v.parameter_id as "parameterId", v.environment_id as "environmentId", v.text, v.sealed, v.interpolated';

function parametersAs(columns: Columns['parameters'], at: PointInTime): string {
  if (columns === 'effective') return `select ${EFFECTIVE_PARAMETER} from owned_parameter x`;
  return `select ${selectedColumns('parameter', 'x')}, x.project_id as "projectId", t.name as type,
             case when x.expires is not null then (
               select json_build_object('state', s.state, 'at', ${wireTime('s.at')}, 'detail', s.detail)
                 from parameter_expiration s where s.organization_id = $1 and s.parameter_id = x.id) end as expired_status
        from owned_parameter x join ${rowsAt('parameter_type', at)} t on t.id = x.type_id`;
}

/**
 * $3 and $4 projects by id and by name, $5 and $6 environments, $7 names of parameters, $8 a parameter. Conditions that are
 * not asked for stay out: with "or" in them no index could find the one parameter.
 */
function statementOf({ at, environments, names, parameterId, ...columns }: SnapshotQuery): string {
  const ofName = names === undefined ? '$7::text[] is null' : 'x.name = any($7)';
  const ofNamesake =
    parameterId === undefined
      ? '$8::uuid is null'
      : `x.name = (select s.name from ${rowsAt('parameter', at)} s where s.id = $8)`;
  const values = columns.values === 'complete' ? `${EFFECTIVE_VALUE}, ${stampsOf('v')}` : EFFECTIVE_VALUE;
  const nothing = 'select where false';
  const now = projectChain('now', 'p.id = any(array(select id from project_chain))', 'project_chain_now');
  return `
    with recursive
      ${projectChain(at, 'p.id = any($3::uuid[]) or p.name = any($4::text[])')},
      ${at === 'now' ? '' : `${now},`}
      ${environmentLineage(at, 'e.id = any($5::uuid[]) or e.name = any($6::text[])')},
      ${ownedParameters(at, `${ofName} and ${ofNamesake}`)}
    select h.epoch, h.revision,
      ${jsonList(`select e.id, e.name, e.parent_id as "parentId" from ${rowsAt('environment', at)} e`)} as environments,
      ${jsonList(`select ${PROJECT_COLUMNS} from project_chain`)} as projects,
      ${at === 'now' ? 'null::json' : jsonList(`select ${PROJECT_COLUMNS} from project_chain_now`)} as "projectsNow",
      ${jsonList(parametersAs(columns.parameters, at))} as parameters,
      ${jsonList(columns.rules ? ownRules(at) : nothing)} as rules,
      ${jsonList(columns.values === 'none' ? nothing : valuesIn(at, environments ? 'lineage' : 'all', values))} as values,
      ${jsonList(columns.referrers ? referrersOf(at) : nothing)} as referrers
      from organization_head h where h.organization_id = $1 and $2::bigint is not distinct from $2`;
}

/** The one loader of configuration: one statement, whatever the number of rows. Whoever writes gives it the transaction. */
@Injectable()
export class SnapshotLoader {
  constructor(private readonly committed: SnapshotReader) {}

  /** What is not there is missing in the snapshot; it is for the caller to say so. */
  async load<const Query extends SnapshotQuery>(
    query: Query,
    reader: SnapshotReader = this.committed,
  ): Promise<ConfigurationSnapshot<ParametersAs<Query>, ValuesAs<Query>>> {
    const { organizationId, at, projectIds, projectNames, environments = [], names, parameterId } = query;
    const [row] = await reader.query<Head & Omit<ConfigurationSnapshot<ParametersAs<Query>, ValuesAs<Query>>, 'head'>>(
      statementOf(query),
      [
        ...parametersOf(organizationId, at),
        projectIds,
        projectNames ?? [],
        idsAmong(environments),
        environments,
        names ?? null,
        parameterId ?? null,
      ],
    );
    if (!row) throw new Error(`Organization ${organizationId} has no head.`);
    const { epoch, revision, ...sets } = row;
    return { ...sets, organizationId, at, head: { epoch, revision: at === 'now' ? revision : at } };
  }
}

/** What may be ids among names or ids; a name may look like one, too. */
export function idsAmong(candidates: readonly string[]): readonly string[] {
  return candidates.map((text) => text.toLowerCase()).filter(isUuid);
}
