import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ParameterCreate, ParameterPatch } from '@strata/contract';
import {
  checkText,
  demandOnScope,
  Failure,
  type Named,
  type ParameterId,
  type ProjectId,
  type ValueType,
} from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import { Cascades } from '../../platform/database/cascades.ts';
import { refuseOn } from '../../platform/database/constraints.ts';
import { Work, type WriteContext, type Written } from '../../platform/database/work.ts';
import type { Precondition } from '../../platform/http/precondition.ts';
import { matchesPattern } from '../../platform/patterns.ts';
import { Vault } from '../../platform/vault/vault.ts';
import { typeNamed, typeOf } from '../types/type-lookup.ts';
import { PARAMETER_CASCADES } from './cascades.ts';
import { ParameterEntity } from './parameter.entity.ts';
import type { ParameterKey } from './parameters.reader.ts';
import { ValueEntity } from './value.entity.ts';

const refusals = (name: string) => ({
  parameter_name_taken: () =>
    Failure.field('duplicate_name', 'name', `This project has a parameter named ${name} already. Choose another name.`),
});

interface OwningProject extends Named {
  readonly pattern: string;
}

@Injectable()
export class ParametersService {
  constructor(
    private readonly work: Work,
    private readonly vault: Vault,
    private readonly cascades: Cascades,
  ) {
    cascades.add(...PARAMETER_CASCADES);
  }

  /** No value is made with it. The name may be one that the project inherits: that is an override. */
  create(caller: Caller, projectId: ProjectId, wish: ParameterCreate): Promise<Written<ParameterId>> {
    return this.work.write(caller, async (context) => {
      const { em } = context;
      const { organizationId } = caller;
      const project = await owningProject(em, caller, projectId);
      const type = await typeNamed(em, organizationId, wish.type);
      demandNamePattern(project, wish.name);
      const parameter = {
        organizationId,
        id: randomUUID(),
        projectId,
        name: wish.name,
        description: wish.description,
        secret: wish.secret,
        typeId: type.id,
      };
      await refuseOn(em.insert(ParameterEntity, parameter), refusals(wish.name));
      record(context, 'create', parameter, project);
      return parameter.id;
    });
  }

  /** What is absent keeps its value; a change that changes nothing mints no revision. */
  change(caller: Caller, key: ParameterKey, wish: ParameterPatch, precondition: Precondition): Promise<Written<void>> {
    return this.work.write(caller, async (context) => {
      const { em } = context;
      const project = await owningProject(em, caller, key.projectId);
      const found = await findParameter(em, key);
      await precondition(em);
      refuseSecretChange(found, wish.secret);
      const type = wish.type === undefined ? null : await typeNamed(em, key.organizationId, wish.type);
      const changed = {
        name: wish.name ?? found.name,
        description: wish.description ?? found.description,
        typeId: type?.id ?? found.typeId,
      };
      if (changed.name !== found.name) demandNamePattern(project, changed.name);
      if (type && type.id !== found.typeId) await this.demandValuesFit(em, found, type.type);
      if (changed.name === found.name && changed.description === found.description && changed.typeId === found.typeId)
        return;
      await refuseOn(em.update(ParameterEntity, keyOf(found), changed), refusals(changed.name));
      record(context, 'update', { ...found, ...changed }, project);
    });
  }

  /** Its values go too; each is recorded for the audit, and only the parameter's own event is raised. */
  remove(caller: Caller, key: ParameterKey, precondition: Precondition): Promise<Written<void>> {
    return this.work.write(caller, async (context) => {
      const { em } = context;
      const project = await owningProject(em, caller, key.projectId);
      const found = await findParameter(em, key);
      await precondition(em);
      await this.cascades.record(context, 'Parameter', found.organizationId, found.id);
      await em.delete(ParameterEntity, keyOf(found));
      record(context, 'delete', found, project);
    });
  }

  /** Every explicit value in every environment must satisfy the new type (behaviour.md §5.4). */
  private async demandValuesFit(em: EntityManager, parameter: ParameterEntity, type: ValueType): Promise<void> {
    const { organizationId, id: parameterId } = parameter;
    const values = await em.findBy(ValueEntity, { organizationId, parameterId });
    const open = await this.vault.opener(organizationId);
    const problems = new Set<string>();
    for (const { id, text, sealed } of values) {
      const clear = sealed === null ? text : open('value.sealed', id, sealed);
      if (clear !== null) for (const problem of checkText(type, clear)) problems.add(problem);
    }
    if (problems.size === 0) return;
    const messages = [...problems].map((problem) => `An existing value does not fit. ${problem}`);
    throw Failure.fields(
      'type_violation',
      messages.map((message) => ({ field: 'type', message })),
    );
  }
}

/** Writes go to a project's own parameters only: an inherited one is 404 here (behaviour.md §5.1). */
export async function findParameter(
  em: EntityManager,
  { organizationId, projectId, id }: ParameterKey,
): Promise<ParameterEntity> {
  const found = await em.findOneBy(ParameterEntity, { organizationId, id, projectId });
  if (!found) throw Failure.notFound('Parameter');
  return found;
}

export async function owningProject(em: EntityManager, caller: Caller, id: ProjectId): Promise<OwningProject> {
  const [project] = await em.query<OwningProject[]>(
    'select id, name, parameter_name_pattern as pattern from project where organization_id = $1 and id = $2',
    [caller.organizationId, id],
  );
  if (!project) throw Failure.notFound('Project');
  demandOnScope(caller, 'write', id);
  return project;
}

export const valueTypeOf = (em: EntityManager, { organizationId, typeId }: ParameterEntity) =>
  typeOf(em, organizationId, typeId);

const keyOf = ({ organizationId, id }: ParameterEntity) => ({ organizationId, id });

function demandNamePattern({ pattern, name: project }: OwningProject, name: string): void {
  if (matchesPattern(pattern, name)) return;
  throw Failure.field('name_pattern', 'name', `Names of parameters in ${project} must begin with ${pattern}.`);
}

function refuseSecretChange({ secret, name }: ParameterEntity, wanted: boolean | undefined): void {
  if (wanted === undefined || wanted === secret) return;
  throw Failure.field(
    'secret_is_fixed',
    'secret',
    `Whether ${name} is secret was decided when it was made. Make a new parameter instead.`,
  );
}

function record(
  { record: recordChange }: WriteContext,
  action: 'create' | 'update' | 'delete',
  { id, name }: Named,
  project: Named,
): void {
  recordChange({
    eventType: `parameter_${action}d`,
    action,
    objectType: 'Parameter',
    object: { id, name },
    project: { id: project.id, name: project.name },
    parameter: { id, name },
  });
}
