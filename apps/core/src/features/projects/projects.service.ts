import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ProjectCreate, ProjectPatch } from '@strata/contract';
import {
  assertAbilityOnScope,
  Failure,
  findChangedAncestors,
  findControllingProject,
  indexById,
  type ProjectId,
  sentence,
  wouldMakeCycle,
} from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import { idFromLink, unknownLinkError } from '../../platform/http/links.ts';
import type { Precondition } from '../../platform/http/request.ts';
import { Cascades } from '../../platform/ledger/cascades.ts';
import type { Command } from '../../platform/ledger/command.ts';
import { objectChange } from '../../platform/ledger/object-change.ts';
import { patternProblem } from '../../platform/patterns/patterns.ts';
import { translateViolations } from '../../platform/postgres/constraints.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { pickWrittenColumns } from '../../platform/postgres/versioned-entity.ts';
import { isUnchanged } from '../../platform/unchanged.ts';
import { controlAccess, readControlledScopes, storeLastReaders } from '../access/control.ts';
import { assertNotPushed } from '../syncs/push-rights.ts';
import { Referrers } from '../templating/referrers.ts';
import { assertNewNames, assertProjectNames, duplicateNameError } from '../validation/names.ts';
import { Validator } from '../validation/validator.ts';
import { ProjectEntity } from './project.entity.ts';
import { type ProjectRow, ProjectsReader } from './projects.reader.ts';

const nameScope = ({ organizationId }: Caller) => ({ noun: 'project', organizationId }) as const;

const constraintErrors = (name: string) => ({
  project_name_taken: () => duplicateNameError('project', name),
});

@Injectable()
export class ProjectsService {
  constructor(
    private readonly reader: ProjectsReader,
    private readonly cascades: Cascades,
    private readonly referrers: Referrers,
    private readonly validator: Validator,
  ) {}

  create(caller: Caller, input: ProjectCreate): Command<ProjectRow> {
    return {
      operation: 'projects_create',
      caller,
      run: async (context) => {
        const { caller, em } = context;
        assertPattern(input.parameter_name_pattern);
        const project: ProjectEntity = {
          ...pickWrittenColumns('project', input),
          organizationId: caller.organizationId,
          id: randomUUID(),
          dependsOnId: await resolveDependency(em, caller, input.depends_on),
        };
        assertAccess(caller, project.dependsOnId);
        await assertProjectNames(em, caller.organizationId, [project.name]);
        await translateViolations(em.insert(ProjectEntity, project), constraintErrors(project.name));
        await assertNewNames(em, nameScope(caller), [project.name]);
        context.record(objectChange('create', 'Project', project));
        return this.read(em, caller, project.id);
      },
    };
  }

  /** Changes a project. Omitted members keep their values. A change without effect creates no revision. */
  change(caller: Caller, id: ProjectId, input: ProjectPatch, precondition: Precondition): Command<ProjectRow> {
    return {
      operation: 'projects_update',
      caller,
      run: async (context) => {
        const { caller, em } = context;
        const currentRow = await find(em, caller, id);
        await precondition(em, caller);
        const { dependsOnId, exchanged } = await newDependency(em, caller, currentRow, input.depends_on);
        const changedRow: ProjectEntity = { ...currentRow, ...pickWrittenColumns('project', input), dependsOnId };
        assertPattern(changedRow.parameterNamePattern);
        if (changedRow.name !== currentRow.name) await assertProjectNames(em, caller.organizationId, [changedRow.name]);
        const isSwitched = await controlAccess(context, caller, toScope(currentRow), input.access_controlled);
        if (isUnchanged(currentRow, changedRow) && !isSwitched) return this.read(em, caller, id);
        if (changedRow.name !== currentRow.name)
          await this.referrers.assertProjectUnused(em, caller, currentRow, 'renamed');
        await translateViolations(
          em.update(ProjectEntity, primaryKey(currentRow), changedRow),
          constraintErrors(changedRow.name),
        );
        if (changedRow.name !== currentRow.name) await assertNewNames(em, nameScope(caller), [changedRow.name]);
        if (exchanged.length > 0) {
          await this.referrers.assertMoveKeepsReferences(em, caller, { id, name: changedRow.name });
          await this.validator.validateDependents(
            em,
            caller,
            { kind: 'project_moved', projectId: id, exchanged },
            { field: 'depends_on' },
          );
        }
        context.record(objectChange('update', 'Project', changedRow));
        return this.read(em, caller, id);
      },
    };
  }

  /**
   * Deletes a project with its contents. The ledger records each object for the audit, but only the project causes an
   * event.
   */
  remove(caller: Caller, id: ProjectId, precondition: Precondition): Command<void> {
    return {
      operation: 'projects_destroy',
      caller,
      isLong: true,
      run: async (context) => {
        const { caller, em } = context;
        const currentRow = await find(em, caller, id);
        await precondition(em, caller);
        await assertNoDependents(em, currentRow);
        await assertNotPushed(em, 'project', currentRow);
        await this.referrers.assertProjectUnused(em, caller, currentRow, 'deleted');
        await this.cascades.record(context, 'Project', currentRow.organizationId, currentRow.id);
        await storeLastReaders(context, currentRow.organizationId, currentRow.id);
        await em.delete(ProjectEntity, primaryKey(currentRow));
        context.record(objectChange('delete', 'Project', currentRow));
      },
    };
  }

  private async read(em: EntityManager, caller: Caller, id: ProjectId): Promise<ProjectRow> {
    return (await this.reader.readOne(caller, id, 'now', SnapshotReader.within(em))).row;
  }
}

async function find(em: EntityManager, caller: Caller, id: ProjectId): Promise<ProjectEntity> {
  const currentRow = await em.findOneBy(ProjectEntity, { organizationId: caller.organizationId, id });
  if (!currentRow) throw Failure.notFound('Project');
  return currentRow;
}

const toScope = ({ id, name }: ProjectEntity) => ({ project_id: id, environment_id: null, name });
const primaryKey = ({ organizationId, id }: ProjectEntity) => ({ organizationId, id });

async function resolveDependency(em: EntityManager, caller: Caller, link: string | null): Promise<ProjectId | null> {
  if (link === null) return null;
  const id = idFromLink('depends_on', 'projects', link);
  const { organizationId } = caller;
  if (!(await em.existsBy(ProjectEntity, { organizationId, id }))) throw unknownLinkError('depends_on', 'projects');
  return id;
}

/**
 * Throws if the caller may not read the project to depend on, because the values of that project become readable
 * through this one.
 */
function assertAccess(caller: Caller, dependsOnId: ProjectId | null): void {
  if (dependsOnId !== null) assertAbilityOnScope(caller, 'read', dependsOnId);
}

interface NewDependency {
  readonly dependsOnId: ProjectId | null;
  /** The projects that the project and its dependents start or stop inheriting from. */
  readonly exchanged: readonly ProjectId[];
}

async function newDependency(
  em: EntityManager,
  caller: Caller,
  currentRow: ProjectEntity,
  link: string | null | undefined,
): Promise<NewDependency> {
  const dependsOnId = link === undefined ? currentRow.dependsOnId : await resolveDependency(em, caller, link);
  if (dependsOnId === currentRow.dependsOnId) return { dependsOnId, exchanged: [] };
  assertAccess(caller, dependsOnId);
  const all = await em.findBy(ProjectEntity, { organizationId: caller.organizationId });
  await assertControl(em, caller, all, { id: currentRow.id, from: currentRow.dependsOnId, to: dependsOnId });
  const forest = indexById(all.map(({ id, dependsOnId: parentId }) => ({ id, parentId })));
  if (wouldMakeCycle(forest, currentRow.id, dependsOnId)) {
    throw Failure.field(
      'project_cycle',
      'depends_on',
      sentence`${{ name: currentRow.name }} cannot depend on itself or on a project that depends on it. Choose another project.`,
    );
  }
  return { dependsOnId, exchanged: findChangedAncestors(forest, currentRow.dependsOnId, dependsOnId) };
}

/**
 * Requires an OWNER if the new dependency takes the project out of the control of another project, as turning off
 * access control does.
 */
export async function assertControl(
  em: EntityManager,
  caller: Caller,
  all: readonly Pick<ProjectEntity, 'id' | 'dependsOnId'>[],
  { id, from, to }: { readonly id: ProjectId; readonly from: ProjectId | null; readonly to: ProjectId | null },
): Promise<void> {
  const controlledScopes = await readControlledScopes(em, caller.organizationId);
  if (controlledScopes.has(id)) return;
  const dependsOn = new Map(all.map((project) => [project.id, project.dependsOnId]));
  const controllingProject = findControllingProject(dependsOn, controlledScopes, from);
  if (controllingProject === null || controllingProject === findControllingProject(dependsOn, controlledScopes, to))
    return;
  assertAbilityOnScope(caller, 'grant', id);
}

function assertPattern(pattern: string): void {
  const problem = patternProblem(pattern);
  if (problem) throw Failure.field('invalid_pattern', 'parameter_name_pattern', problem);
}

async function assertNoDependents(em: EntityManager, { organizationId, id, name }: ProjectEntity): Promise<void> {
  const dependents = await em.findBy(ProjectEntity, { organizationId, dependsOnId: id });
  if (dependents.length === 0) return;
  const names = dependents.map((dependentProject) => dependentProject.name).sort();
  throw Failure.conflict(
    'project_has_dependents',
    sentence`${{ name }} is used by ${{ names }}. Delete them first, or change what they depend on.`,
  );
}
