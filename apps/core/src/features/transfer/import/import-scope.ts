import { randomUUID } from 'node:crypto';
import type { ImportRequest } from '@strata/contract';
import {
  assertAbilityOnScope,
  type EnvironmentId,
  Failure,
  isUuid,
  type NamedObject,
  type OrganizationId,
  type ProjectId,
} from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../../platform/caller.ts';
import type { WriteContext } from '../../../platform/ledger/command.ts';
import { objectChange } from '../../../platform/ledger/object-change.ts';
import { assertNewNames, assertProjectNames } from '../../validation/names.ts';

/**
 * The project and environment of an import. If one of them does not exist, it already has the id with which it will be
 * created.
 */
export interface ImportScope {
  readonly project: NamedObject & { readonly pattern: string; readonly isNew: boolean };
  readonly environment: NamedObject & { readonly isNew: boolean };
  readonly rootId: EnvironmentId;
}

const DEFAULT = 'default';

interface ProjectRow extends NamedObject {
  readonly pattern: string;
}

/** Finds the project and the environment by name or id. Throws 404 if one does not exist and may not be created. */
export async function importScope(em: EntityManager, caller: Caller, input: ImportRequest): Promise<ImportScope> {
  const { organizationId } = caller;
  const project = await findProject(em, organizationId, input.project);
  if (project) assertAbilityOnScope(caller, 'write', project.id, '/project');
  else if (!input.add_project || isUuid(input.project)) throw Failure.notFound('Project');
  else {
    await assertProjectNames(em, organizationId, [input.project]);
    await assertNewNames(em, { noun: 'project', organizationId }, [input.project], 'project');
  }
  const name = input.environment ?? DEFAULT;
  const environments = await em.query<(NamedObject & { parent_id: string | null })[]>(
    `select id, name, parent_id from environment
      where organization_id = $1 and (name = $2 or id::text = lower($2) or parent_id is null)
      order by (id::text = lower($2)) desc`,
    [organizationId, name],
  );
  const environment = environments.find((candidate) => candidate.name === name || candidate.id === name.toLowerCase());
  if (environment) assertAbilityOnScope(caller, 'write', environment.id, '/environment');
  else if (!input.add_environment || isUuid(name)) throw Failure.notFound('Environment');
  else await assertNewNames(em, { noun: 'environment', organizationId }, [name], 'environment');
  const root = environments.find((candidate) => candidate.parent_id === null);
  if (!environment && root) assertAbilityOnScope(caller, 'read', root.id); // A child shows the values of its parent, so the caller needs access to the parent.
  return {
    project: project ? { ...project, isNew: false } : newThing(input.project, { pattern: '' }),
    environment: environment ? { id: environment.id, name: environment.name, isNew: false } : newThing(name, {}),
    rootId: root?.id ?? '',
  };
}

/** Creates the project or environment if it does not exist. */
export async function addScope(
  { em, record }: WriteContext,
  organizationId: OrganizationId,
  { project, environment, rootId }: ImportScope,
): Promise<void> {
  if (project.isNew) {
    const object = { id: project.id, name: project.name };
    await em.query('insert into project (organization_id, id, name) values ($1, $2, $3)', [
      organizationId,
      project.id,
      project.name,
    ]);
    record(objectChange('create', 'Project', object));
  }
  if (environment.isNew) {
    const object = { id: environment.id, name: environment.name };
    await em.query('insert into environment (organization_id, id, name, parent_id) values ($1, $2, $3, $4)', [
      organizationId,
      environment.id,
      environment.name,
      rootId,
    ]);
    record(objectChange('create', 'Environment', object));
  }
}

function newThing<More extends object>(name: string, extraMembers: More) {
  return { id: randomUUID() as string, name, isNew: true, ...extraMembers };
}

async function findProject(
  em: EntityManager,
  organizationId: OrganizationId,
  nameOrId: string,
): Promise<(ProjectRow & { id: ProjectId }) | null> {
  const [row] = await em.query<ProjectRow[]>(
    `select id, name, parameter_name_pattern as pattern from project
      where organization_id = $1 and (name = $2 or id::text = lower($2)) order by (id::text = lower($2)) desc limit 1`,
    [organizationId, nameOrId],
  );
  return row ?? null;
}
