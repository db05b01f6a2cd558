import { demandIfControlled, demandOnScope, Failure, type Named, type ValueId } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import type { ParameterEntity } from './parameter.entity.ts';
import type { ParameterKey } from './parameters.reader.ts';
import type { ValueEntity } from './value.entity.ts';

export interface ValuePlace {
  readonly project: Named;
  readonly parameter: ParameterEntity;
  readonly environment: Named;
  readonly value: ValueEntity;
}

interface PlaceRow {
  readonly project: string;
  readonly parameter: string | null;
  readonly description: string;
  readonly secret: boolean;
  readonly type_id: string;
  readonly expires: string | null;
  readonly expiration_action: object | null;
  readonly value: string | null;
  readonly text: string | null;
  readonly sealed: Buffer | null;
  readonly interpolated: boolean;
  readonly environment_id: string;
  readonly environment: string;
}

const PLACE = `
select p.name as project, x.name as parameter, x.description, x.secret, x.type_id, x.expires, x.expiration_action,
       v.id as value, v.text, v.sealed, v.interpolated, v.environment_id, e.name as environment
  from project p
  left join parameter x on x.organization_id = $1 and x.project_id = p.id and x.id = $3
  left join value v on v.organization_id = $1 and v.parameter_id = x.id and v.id = $4
  left join environment e on e.organization_id = $1 and e.id = v.environment_id
 where p.organization_id = $1 and p.id = $2`;

/**
 * An explicit value that the caller may write, and everything around it, in one statement. 404 for the outermost thing that
 * is not there, 403 for the outermost scope that is closed.
 */
export async function placeOfValue(
  em: EntityManager,
  caller: Caller,
  key: ParameterKey,
  id: ValueId,
): Promise<ValuePlace> {
  const { organizationId, projectId, id: parameterId } = key;
  const [row] = await em.query<PlaceRow[]>(PLACE, [organizationId, projectId, parameterId, id]);
  if (!row) throw Failure.notFound('Project');
  demandOnScope(caller, 'write', projectId);
  if (row.parameter === null) throw Failure.notFound('Parameter');
  if (row.value === null) throw Failure.notFound('Value');
  const { description, secret, type_id: typeId, environment_id: environmentId, text, sealed, interpolated } = row;
  demandIfControlled(caller, 'write', environmentId);
  const { expires, expiration_action: expirationAction } = row;
  const own = { name: row.parameter, description, secret, typeId, expires, expirationAction };
  return {
    project: { id: projectId, name: row.project },
    parameter: { organizationId, projectId, id: parameterId, ...own },
    environment: { id: environmentId, name: row.environment },
    value: { organizationId, id, parameterId, environmentId, text, sealed, interpolated },
  };
}
