import { Injectable } from '@nestjs/common';
import { isUuid, type OrganizationId, type ParameterId, type ProjectId } from '@strata/domain';
import type { Head } from '../../platform/ledger/heads.ts';
import { currentLimits, type RequestLimits } from '../../platform/limits/request-limits.ts';
import {
  responseTooLongError,
  TEXT_COPIES,
  TEXTS_BYTES_MAX,
  UNRESERVED_BYTES_MAX,
} from '../../platform/limits/response-limits.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import {
  type PointInTime,
  rowsAt,
  selectedColumns,
  versionParameters,
  wireTimeSql,
} from '../../platform/postgres/versioned-table.ts';
import { readSealed } from '../../platform/vault/sealed-text.ts';
import type { ConfigurationSnapshot, ParameterRecord, TextRecord, ValueRecord, ViewedParameter } from './snapshot.ts';
import {
  environmentLineage,
  historyColumns,
  jsonList,
  ownedParametersSql,
  ownRules,
  projectChain,
  selectReferrers,
  selectValuesSql,
} from './sql-parts.ts';

/** The columns to read: only those that determine effective values, or everything that responses show. */
export interface Columns {
  readonly parameters: 'effective' | 'complete';
  readonly values: 'none' | 'effective' | 'complete';
  /** Whether to read the rules of the parameters. */
  readonly rules?: boolean;
  /** Whether to read the texts that refer to the parameters. */
  readonly referrers?: boolean;
}

export interface SnapshotQuery extends Columns {
  readonly organizationId: OrganizationId;
  readonly at: PointInTime;
  readonly projectIds: readonly ProjectId[];
  /** The names of further projects to read. */
  readonly projectNames?: readonly string[] | undefined;
  /**
   * Names or ids. Only values that are visible in these environments are read. If undefined, the values of all
   * environments are read.
   */
  readonly environments?: readonly string[] | undefined;
  /**
   * If set, only parameters with exactly these names are read, or those with the same name as the parameter
   * `parameterId`.
   */
  readonly names?: readonly string[] | undefined;
  readonly parameterId?: ParameterId | undefined;
  /** If the rows of a request need more memory than this, they are not read, and `SnapshotTooLargeError` is thrown. */
  readonly memoryMax?: number;
}

/** The rows need more memory than the query allows. */
export class SnapshotTooLargeError extends Error {}

export type ParametersAs<Wanted extends Columns> = Wanted['parameters'] extends 'complete'
  ? ParameterRecord
  : ViewedParameter;
export type LoadedValue<Wanted extends Columns> = Wanted['values'] extends 'effective' ? TextRecord : ValueRecord;

const PROJECT_COLUMNS = 'id, name, depends_on_id as "dependsOnId"';
const EFFECTIVE_PARAMETER =
  'parameter.id, parameter.project_id as "projectId", parameter.name, parameter.description, parameter.secret, parameter.expires, parameter.type_id';
const EFFECTIVE_VALUE = `value.id, value.parameter_id as "parameterId", value.environment_id as "environmentId", value.text, ${readSealed('value')} as sealed, value.interpolated`;

function parametersAs(columns: Columns['parameters'], at: PointInTime): string {
  if (columns === 'effective') return `select ${EFFECTIVE_PARAMETER} from owned_parameter parameter`;
  return `select ${selectedColumns('parameter', 'parameter')}, parameter.project_id as "projectId", type.name as type,
             case when parameter.expires is not null then (
               select json_build_object('state', expiration.state, 'at', ${wireTimeSql('expiration.at')}, 'detail', expiration.detail)
                 from parameter_expiration expiration where expiration.organization_id = $1 and expiration.parameter_id = parameter.id) end as expired_status
        from owned_parameter parameter join ${rowsAt('parameter_type', at)} type on type.id = parameter.type_id`;
}

/** The size of a snapshot in bytes, measured before its rows are read. */
interface Weight {
  /**
   * The memory that the request needs until the response has been sent: for the rows as received, parsed and presented.
   */
  readonly memory: number;
  /** The size of the texts alone. */
  readonly texts: number;
}

const PARAMETER_BYTES = 2_048;
const VALUE_BYTES = 2_048;
/** Returns SQL that computes the `weight` of the rows to read. Values only count if they are read. */
function buildWeight(values: string | null): string {
  const columnBytes = (column: string) => `coalesce(octet_length(${column}), 0)`;
  const ofParameters =
    'select count(*) as rows, coalesce(sum(octet_length(parameter.description)), 0) as texts from owned_parameter parameter';
  const ofValues = values
    ? `select count(*) as rows, coalesce(sum(${columnBytes('value.text')} + ${columnBytes('value.sealed')}), 0) as texts from wanted_value value`
    : 'select 0 as rows, 0 as texts';
  return `${values ? `wanted_value as materialized (${values}),` : ''}
      weight as materialized (
        select parameter_sizes.texts + value_sizes.texts as texts,
               parameter_sizes.rows * ${PARAMETER_BYTES} + value_sizes.rows * ${VALUE_BYTES} + (parameter_sizes.texts + value_sizes.texts) * ${TEXT_COPIES} as memory
          from (${ofParameters}) parameter_sizes, (${ofValues}) value_sizes)`;
}

/**
 * `light` reads the rows only if they need little memory, and otherwise only their weight. `parts` reads all rows, with
 * the values divided into several rows.
 */
type Reads = 'all' | 'light' | 'parts';

/** The number of values per row. It is small, so that parsing a row does not block the event loop for long. */
const VALUES_OF_A_PART = 250;

/** Returns SQL that adds one row for each part of the values. It has the columns of the main statement. */
function buildParts(values: string): string {
  return `union all
    select null, null, null, null, null, null, null, null, json_agg(numbered.value), null
      from (select to_json(record) as value, (row_number() over () - 1) / ${VALUES_OF_A_PART} as part from (${values}) record) numbered
     group by numbered.part`;
}

/**
 * $3 and $4 contain projects by id and by name, $5 and $6 environments by id and by name, $7 names of parameters, and
 * $8 is a parameter. Unused conditions are omitted, because PostgreSQL cannot use an index for conditions with "or".
 */
function buildStatement(query: SnapshotQuery, reads: Reads): string {
  const { at, environments, names, parameterId, memoryMax, ...columns } = query;
  const ofName = names === undefined ? '$7::text[] is null' : 'parameter.name = any($7)';
  const ofSameName =
    parameterId === undefined
      ? '$8::uuid is null'
      : `parameter.name = (select parameter.name from ${rowsAt('parameter', at)} parameter where parameter.id = $8)`;
  const shownCondition =
    columns.values === 'complete' ? `${EFFECTIVE_VALUE}, value.source, ${historyColumns('value')}` : EFFECTIVE_VALUE;
  const selectRequested = (selectList: string) => selectValuesSql(at, environments ? 'lineage' : 'all', selectList);
  const emptySelect = 'select where false';
  const values =
    reads === 'light' ? `select ${shownCondition} from wanted_value value` : selectRequested(shownCondition);
  const hasValues = columns.values !== 'none';
  // No more values are weighed than are allowed.
  const limitSql = memoryMax === undefined ? '' : ` limit ${Math.ceil(memoryMax / VALUE_BYTES) + 1}`;
  const weight = reads === 'light' ? `, ${buildWeight(hasValues ? selectRequested('value.*') + limitSql : null)}` : '';
  const now = projectChain('now', 'project.id = any(array(select id from project_chain))', 'project_chain_now');
  const set = (rows: string) =>
    reads === 'light'
      ? `case when weight.memory <= ${UNRESERVED_BYTES_MAX} then ${jsonList(rows)} end`
      : jsonList(rows);
  return `
    with recursive
      ${projectChain(at, 'project.id = any($3::uuid[]) or project.name = any($4::text[])')},
      ${at === 'now' ? '' : `${now},`}
      ${environmentLineage(at, 'environment.id = any($5::uuid[]) or environment.name = any($6::text[])')},
      ${ownedParametersSql(at, `${ofName} and ${ofSameName}`)}${weight}
    select head.epoch, head.revision,
      ${weight ? `json_build_object('memory', weight.memory, 'texts', weight.texts)` : 'null::json'} as weight,
      ${set(`select environment.id, environment.name, environment.parent_id as "parentId" from ${rowsAt('environment', at)} environment`)} as environments,
      ${set(`select ${PROJECT_COLUMNS} from project_chain`)} as projects,
      ${at === 'now' ? 'null::json' : set(`select ${PROJECT_COLUMNS} from project_chain_now`)} as "projectsNow",
      ${set(parametersAs(columns.parameters, at))} as parameters,
      ${set(columns.rules ? ownRules(at) : emptySelect)} as rules,
      ${set(hasValues && reads !== 'parts' ? values : emptySelect)} as values,
      ${set(columns.referrers ? selectReferrers(at) : emptySelect)} as referrers
      from organization_head head ${weight ? 'cross join weight' : ''}
     where head.organization_id = $1 and $2::bigint is not distinct from $2
    ${hasValues && reads === 'parts' ? buildParts(values) : ''}`;
}

type Loaded<Query extends SnapshotQuery> = Head &
  Omit<ConfigurationSnapshot<ParametersAs<Query>, LoadedValue<Query>>, 'head'> & { readonly weight: Weight | null };

/**
 * The only loader of configuration. It runs one statement, however many rows there are. If the rows need more memory
 * than a request may use without a reservation, it reserves memory and runs another one. A write passes its
 * transaction.
 */
@Injectable()
export class SnapshotLoader {
  constructor(private readonly snapshotReader: SnapshotReader) {}

  /**
   * Loads a snapshot. Objects that do not exist are not contained in it, and the caller has to report them. Throws
   * `answer_too_long`.
   */
  async load<const Query extends SnapshotQuery>(
    query: Query,
    reader?: SnapshotReader,
  ): Promise<ConfigurationSnapshot<ParametersAs<Query>, LoadedValue<Query>>> {
    const { organizationId, at } = query;
    const share = reader === undefined ? currentLimits() : undefined;
    const row = share
      ? await this.readInShare(query, share)
      : await this.read(query, 'all', reader ?? this.snapshotReader);
    const { epoch, revision, weight: _, ...sets } = row;
    return { ...sets, organizationId, at, head: { epoch, revision: at === 'now' ? revision : at } };
  }

  /** Reads the rows if they need little memory. Otherwise, waits for a reservation first. */
  private async readInShare<Query extends SnapshotQuery>(query: Query, share: RequestLimits): Promise<Loaded<Query>> {
    const lightSnapshot = await this.read(query, 'light', this.snapshotReader);
    if (lightSnapshot.weight === null || lightSnapshot.weight.memory <= UNRESERVED_BYTES_MAX) return lightSnapshot;
    if (lightSnapshot.weight.memory > (query.memoryMax ?? Number.POSITIVE_INFINITY)) throw new SnapshotTooLargeError();
    if (lightSnapshot.weight.texts > TEXTS_BYTES_MAX) throw responseTooLongError();
    await share.reserveMemory(lightSnapshot.weight.memory);
    return this.read(query, 'parts', this.snapshotReader);
  }

  private async read<Query extends SnapshotQuery>(
    query: Query,
    reads: Reads,
    reader: SnapshotReader,
  ): Promise<Loaded<Query>> {
    const { organizationId, at, projectIds, projectNames, environments = [], names, parameterId } = query;
    const [row, ...parts] = await reader.atHead<Loaded<Query>>(organizationId, buildStatement(query, reads), [
      ...versionParameters(organizationId, at),
      projectIds,
      projectNames ?? [],
      filterPossibleIds(environments),
      environments,
      names ?? null,
      parameterId ?? null,
    ]);
    if (!row) throw new Error(`Organization ${organizationId} has no head.`);
    return parts.length === 0 ? row : { ...row, values: parts.flatMap(({ values }) => values) };
  }
}

/** Returns the candidates that can be ids. A name may look like an id, too. */
export function filterPossibleIds(candidates: readonly string[]): readonly string[] {
  return candidates.map((text) => text.toLowerCase()).filter(isUuid);
}
