import { randomUUID } from 'node:crypto';
import { Failure, jsonPointer } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { WriteContext } from '../../platform/ledger/command.ts';
import { objectChange } from '../../platform/ledger/object-change.ts';
import type { NamedLocation } from './named-state.ts';
import type { SetStep } from './set-steps.ts';

/**
 * Creates parameters with one statement, and returns their ids by name. A parameter that overrides an inherited one
 * gets the type and the secret flag of that one.
 */
export async function addParameters(
  { caller: { organizationId }, em, record }: WriteContext,
  { project }: NamedLocation,
  steps: readonly SetStep[],
  types: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const addedParameters = steps.flatMap(({ createdAs, ...step }) =>
    createdAs ? [{ ...step, ...createdAs, id: randomUUID() as string }] : [],
  );
  const ids = new Map(addedParameters.map(({ name, id }) => [name, id]));
  if (addedParameters.length === 0) return ids;
  await em.query(
    `insert into parameter (organization_id, id, project_id, name, secret, type_id, description)
     select $1, added.id, $2, added.name, added.secret, added.type_id, added.description
       from unnest($3::uuid[], $4::text[], $5::boolean[], $6::uuid[], $7::text[]) as added(id, name, secret, type_id, description)`,
    [
      organizationId,
      project.id,
      addedParameters.map(({ id }) => id),
      addedParameters.map(({ name }) => name),
      addedParameters.map(({ secret }) => secret),
      addedParameters.map(({ typeId, type }) => typeId ?? types.get(type)),
      addedParameters.map(({ description }) => description),
    ],
  );
  for (const { id, name } of addedParameters) record(objectChange('create', 'Parameter', { id, name }, { project }));
  return ids;
}

/**
 * Returns the ids of the types of new parameters by name. Throws 404 if a type does not exist, as creating a parameter
 * does.
 */
export async function typeIdsByName(
  em: EntityManager,
  organizationId: string,
  parameters: readonly { readonly name: string; readonly type: string }[],
): Promise<ReadonlyMap<string, string>> {
  const requestedNames = [...new Set(parameters.map(({ type }) => type))];
  if (requestedNames.length === 0) return new Map();
  const rows = await em.query<{ id: string; name: string }[]>(
    'select id, name from parameter_type where organization_id = $1 and name = any($2::text[])',
    [organizationId, requestedNames],
  );
  const ids = new Map(rows.map(({ id, name }) => [name, id]));
  const unknownParameter = parameters.find(({ type }) => !ids.has(type));
  if (unknownParameter)
    throw Failure.notFound('ParameterType').at(jsonPointer(['values', unknownParameter.name, 'type']));
  return ids;
}
