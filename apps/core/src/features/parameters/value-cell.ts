import {
  byId,
  demandIfControlled,
  demandOnScope,
  Failure,
  type Named,
  type OrganizationId,
  type Revision,
  type ValueId,
  type ValueType,
  valueTypeOf,
} from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import type { Statement } from '../../platform/database/prepared-client.ts';
import type { SnapshotReader } from '../../platform/database/snapshot-reader.ts';
import type { ValueRecord } from '../resolution/project-snapshot.ts';
import { isMentioned } from '../resolution/reach.ts';
import { type Chain, chainColumns } from '../validation/value-types.ts';
import type { ParameterEntity } from './parameter.entity.ts';
import type { ParameterKey } from './parameters.reader.ts';

/** What of a parameter its values have to do with. */
export type CellParameter = Omit<ParameterEntity, 'description' | 'expirationAction'>;

/** An explicit value of a project's own parameter, and what an answer about it or a change of it needs to know. */
export interface ValueCell {
  readonly organizationId: OrganizationId;
  readonly revision: Revision;
  readonly project: Named;
  readonly parameter: CellParameter;
  readonly environment: Named;
  readonly value: ValueRecord;
}

/** What a change needs to know besides. */
export interface MeasuredCell extends ValueCell {
  readonly epoch: string;
  /** By what the value's texts are measured. */
  readonly type: ValueType;
  /** Whether dynamic values or templates may depend on it. */
  readonly isMentioned: boolean;
  /** Characters of its types and rules, about. */
  readonly weight: number;
}

interface CellRow {
  readonly revision: Revision;
  readonly project: string;
  readonly parameter: string | null;
  readonly secret: boolean;
  readonly type_id: string;
  readonly expires: string | null;
  readonly value: string | null;
  readonly text: string | null;
  readonly sealed: string | null;
  readonly interpolated: boolean;
  readonly ledger_id: string;
  readonly created_at: string;
  readonly modified_at: string;
  readonly environment_id: string;
  readonly environment: string;
}

export interface MeasuredRow extends CellRow, Chain {
  readonly epoch: string;
  readonly mentioned: boolean;
}

const COLUMNS = `
  h.revision, p.name as project,
  x.name as parameter, x.secret, x.type_id, x.expires,
  v.id as value, v.text, v.sealed::text, v.interpolated, v.ledger_id, v.created_at, v.modified_at,
  e.id as environment_id, e.name as environment`;

const PLACE = `
  from project p
  join organization_head h on h.organization_id = $1
  left join parameter x on x.organization_id = $1 and x.project_id = p.id and x.id = $3
  left join value v on v.organization_id = $1 and v.parameter_id = x.id and v.id = $4
  left join environment e on e.organization_id = $1 and e.id = v.environment_id
 where p.organization_id = $1 and p.id = $2`;

const CELL = `select ${COLUMNS} ${PLACE}`;

/** Whoever changes one value of a parameter often changes the others next, so the short ones come along. */
const LOOKED_AT_MAX = 16;
const ALONG_MAX = 7;
const ALONG_BYTES_MAX = 1_024;

const MEASURED_CELLS = `
select ${COLUMNS}, h.epoch, x.types, x.own, x.mentioned
  from project p
  join organization_head h on h.organization_id = $1
  left join lateral (
    select o.*, ${chainColumns('o.type_id', 'o.id')}, ${isMentioned('p.id', 'o.name')} as mentioned
      from parameter o where o.organization_id = $1 and o.project_id = p.id and o.id = $3 offset 0) x on true
  left join lateral (
    (select o.* from value o where o.organization_id = $1 and o.id = $4 and o.parameter_id = x.id)
    union all
    (select o.*
       from (select * from value where organization_id = $1 and parameter_id = x.id limit ${LOOKED_AT_MAX}) o
      where o.id <> $4 and coalesce(octet_length(o.text), 0) + coalesce(octet_length(o.sealed), 0) <= ${ALONG_BYTES_MAX}
      limit ${ALONG_MAX})) v on true
  left join environment e on e.organization_id = $1 and e.id = v.environment_id
 where p.organization_id = $1 and p.id = $2`;

function valuesOf({ organizationId, projectId, id: parameterId }: ParameterKey, id: ValueId): readonly string[] {
  return [organizationId, projectId, parameterId, id];
}

/** Null unless everything is there. */
export async function readCell(reader: SnapshotReader, key: ParameterKey, id: ValueId): Promise<ValueCell | null> {
  const [row] = await reader.query<CellRow>(CELL, valuesOf(key, id));
  return cellOf(row, key);
}

/** The cell, and what a change of it needs to know; with other values of its parameter behind it. */
export const measuredCellsQuery = (key: ParameterKey, id: ValueId): Statement => ({
  text: MEASURED_CELLS,
  values: valuesOf(key, id),
});

function cellOf(row: CellRow | undefined, key: ParameterKey): ValueCell | null {
  if (!row || row.parameter === null || row.value === null) return null;
  const { organizationId, projectId, id: parameterId } = key;
  const { revision, secret, type_id: typeId, expires, environment_id: environmentId } = row;
  const { text, sealed, interpolated, ledger_id, created_at, modified_at } = row;
  const own = { name: row.parameter, secret, typeId, expires };
  const content = { text, sealed, interpolated, ledger_id, created_at, modified_at };
  return {
    organizationId,
    revision,
    project: { id: projectId, name: row.project },
    parameter: { organizationId, projectId, id: parameterId, ...own },
    environment: { id: environmentId, name: row.environment },
    value: { id: row.value, parameterId, environmentId, ...content },
  };
}

/** A cell, and all that were found. 404 for the outermost thing that is not there, 403 for the outermost scope that is closed. */
export function demandWritableCell(
  caller: Caller,
  rows: readonly MeasuredRow[],
  key: ParameterKey,
  id: ValueId,
): { readonly cell: MeasuredCell; readonly all: readonly MeasuredCell[] } {
  const [row] = rows;
  if (!row) throw Failure.notFound('Project');
  demandOnScope(caller, 'write', key.projectId);
  if (row.parameter === null) throw Failure.notFound('Parameter');
  const all = measuredCellsOf(rows, key);
  const cell = all.find(({ value }) => value.id === id);
  if (!cell) throw Failure.notFound('Value');
  demandIfControlled(caller, 'write', cell.environment.id);
  return { cell, all };
}

function measuredCellsOf(rows: readonly MeasuredRow[], key: ParameterKey): MeasuredCell[] {
  const [first] = rows;
  if (!first || first.parameter === null) return [];
  const { epoch, mentioned, type_id: typeId, parameter: name, types, own } = first;
  const type = valueTypeOf(byId(types), typeId, { name, rules: own });
  const weight = JSON.stringify([types, own]).length;
  return rows.flatMap((row) => {
    const cell = cellOf(row, key);
    return cell ? [{ ...cell, epoch, type, isMentioned: mentioned, weight }] : [];
  });
}
