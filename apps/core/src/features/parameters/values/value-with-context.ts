import type { ExternalSource, NamedObject, OrganizationId, Revision, ValueId } from '@strata/domain';
import type { SnapshotReader } from '../../../platform/postgres/snapshot-reader.ts';
import { wireTimeSql } from '../../../platform/postgres/versioned-table.ts';
import { readSealed } from '../../../platform/vault/sealed-text.ts';
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
  readonly source: ExternalSource | null;
  readonly ledger_id: string;
  readonly created_at: string;
  readonly modified_at: string;
  readonly environment_id: string;
  readonly environment: string;
}

/**
 * SQL columns of the rows `project`, `parameter`, `value` and `environment`.
 */
export const VALUE_COLUMNS = `
  project.name as project, parameter.name as parameter, parameter.secret, parameter.type_id, parameter.expires,
  value.id as value, value.text, ${readSealed('value')}::text as sealed, value.interpolated, value.source, value.ledger_id,
  ${wireTimeSql('value.created_at')} as created_at, ${wireTimeSql('value.modified_at')} as modified_at,
  environment.id as environment_id, environment.name as environment`;

const VALUE = `
select head.revision, ${VALUE_COLUMNS}
  from project
  join organization_head head on head.organization_id = $1
  left join parameter on parameter.organization_id = $1 and parameter.project_id = project.id and parameter.id = $3
  left join value on value.organization_id = $1 and value.parameter_id = parameter.id and value.id = $4
  left join environment on environment.organization_id = $1 and environment.id = value.environment_id
 where project.organization_id = $1 and project.id = $2`;

/** Reads a value. Returns null if an object of the path does not exist. */
export async function readValueWithContext(
  reader: SnapshotReader,
  key: ParameterKey,
  id: ValueId,
): Promise<ValueWithContext | null> {
  const [row] = await reader.atHead<ValueContextRow & { readonly revision: Revision }>(key.organizationId, VALUE, [
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
  const { text, sealed, interpolated, source, ledger_id, created_at, modified_at } = row;
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
      source,
      ledger_id,
      created_at,
      modified_at,
    },
  };
}
