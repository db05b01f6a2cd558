import type { NamedObject, OrganizationId, Revision, ValueId } from '@strata/domain';
import type { SnapshotReader } from '../../../platform/postgres/snapshot-reader.ts';
import { wireTime } from '../../../platform/postgres/versioned-table.ts';
import type { ValueRecord } from '../../snapshot/snapshot.ts';
import type { ParameterEntity } from '../parameter.entity.ts';
import type { ParameterKey } from '../parameters.reader.ts';

/** The columns of a parameter that its values need. */
export type ParameterContext = Pick<
  ParameterEntity,
  'organizationId' | 'id' | 'projectId' | 'name' | 'secret' | 'typeId' | 'expires'
>;

/** A value that is set on a parameter which the project owns, with the columns that a response needs. */
export interface ValueWithContext {
  readonly organizationId: OrganizationId;
  readonly revision: Revision;
  readonly project: NamedObject;
  readonly parameter: ParameterContext;
  readonly environment: NamedObject;
  readonly value: ValueRecord;
}

export interface ValueContextRow {
  readonly project: string | null;
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

/**
 * SQL columns of a project `p`, its parameter `x`, a value `v` of the parameter, and the environment `e` of the value.
 */
export const VALUE_COLUMNS = `
  p.name as project, x.name as parameter, x.secret, x.type_id, x.expires,
  v.id as value, v.text, v.sealed::text, v.interpolated, v.ledger_id,
  ${wireTime('v.created_at')} as created_at, ${wireTime('v.modified_at')} as modified_at,
  e.id as environment_id, e.name as environment`;

const VALUE = `
select h.revision, ${VALUE_COLUMNS}
  from project p
  join organization_head h on h.organization_id = $1
  left join parameter x on x.organization_id = $1 and x.project_id = p.id and x.id = $3
  left join value v on v.organization_id = $1 and v.parameter_id = x.id and v.id = $4
  left join environment e on e.organization_id = $1 and e.id = v.environment_id
 where p.organization_id = $1 and p.id = $2`;

/** Reads a value. Returns null if an object of the path does not exist. */
export async function readValueWithContext(
  reader: SnapshotReader,
  key: ParameterKey,
  id: ValueId,
): Promise<ValueWithContext | null> {
  const [row] = await reader.query<ValueContextRow & { readonly revision: Revision }>(VALUE, [
    key.organizationId,
    key.projectId,
    key.id,
    id,
  ]);
  return row ? addContext(row, key, row.revision) : null;
}

export function addContext(
  row: ValueContextRow,
  { organizationId, projectId, id: parameterId }: ParameterKey,
  revision: Revision,
): ValueWithContext | null {
  if (row.project === null || row.parameter === null || row.value === null) return null;
  const { secret, type_id: typeId, expires, environment_id: environmentId } = row;
  const { text, sealed, interpolated, ledger_id, created_at, modified_at } = row;
  return {
    organizationId,
    revision,
    project: { id: projectId, name: row.project },
    parameter: { organizationId, projectId, id: parameterId, name: row.parameter, secret, typeId, expires },
    environment: { id: environmentId, name: row.environment },
    value: {
      id: row.value,
      parameterId,
      environmentId,
      text,
      sealed,
      interpolated,
      ledger_id,
      created_at,
      modified_at,
    },
  };
}
