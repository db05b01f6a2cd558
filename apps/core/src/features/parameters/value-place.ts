import { Failure, type Named, type ValueId } from '@strata/domain';
import type { EntityManager } from 'typeorm';
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
  readonly value: string | null;
  readonly text: string | null;
  readonly sealed: Buffer | null;
  readonly environment_id: string;
  readonly environment: string;
}

const PLACE = `
select p.name as project, x.name as parameter, x.description, x.secret, x.type_id,
       v.id as value, v.text, v.sealed, v.environment_id, e.name as environment
  from project p
  left join parameter x on x.organization_id = $1 and x.project_id = p.id and x.id = $3
  left join value v on v.organization_id = $1 and v.parameter_id = x.id and v.id = $4
  left join environment e on e.organization_id = $1 and e.id = v.environment_id
 where p.organization_id = $1 and p.id = $2`;

/** An explicit value and everything around it, in one statement. 404 for the outermost thing that is not there. */
export async function placeOfValue(em: EntityManager, key: ParameterKey, id: ValueId): Promise<ValuePlace> {
  const { organizationId, projectId, id: parameterId } = key;
  const [row] = await em.query<PlaceRow[]>(PLACE, [organizationId, projectId, parameterId, id]);
  if (!row) throw Failure.notFound('Project');
  if (row.parameter === null) throw Failure.notFound('Parameter');
  if (row.value === null) throw Failure.notFound('Value');
  const { description, secret, type_id: typeId, environment_id: environmentId, text, sealed } = row;
  return {
    project: { id: projectId, name: row.project },
    parameter: { organizationId, projectId, id: parameterId, name: row.parameter, description, secret, typeId },
    environment: { id: environmentId, name: row.environment },
    value: { organizationId, id, parameterId, environmentId, text, sealed },
  };
}
