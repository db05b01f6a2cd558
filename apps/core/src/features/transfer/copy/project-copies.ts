import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ProjectCopyRequest } from '@strata/contract';
import {
  assertAbilityOnScope,
  copyPlan,
  Failure,
  findControllingProject,
  type NamedObject,
  type OrganizationId,
  type PlannedCopy,
  type ProjectId,
} from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../../platform/caller.ts';
import { idFromLink, unknownLinkError } from '../../../platform/http/links.ts';
import type { Command, WriteContext, Writer } from '../../../platform/ledger/command.ts';
import { ignoreForbidden } from '../../../platform/ledger/forbidden-values.ts';
import { objectChange } from '../../../platform/ledger/object-change.ts';
import { SnapshotReader } from '../../../platform/postgres/snapshot-reader.ts';
import { becomeOwner, readControlledScopes } from '../../access/control.ts';
import type { ValueContext } from '../../parameters/values/value-writer.ts';
import { type ProjectRow, ProjectsReader } from '../../projects/projects.reader.ts';
import { assertCopyNames, assertProjectNames } from '../../validation/names.ts';
import { CopiedTexts } from './copied-texts.ts';
import { copyRows } from './copy-rows.ts';
import { assertCopySize } from './copy-size.ts';
import { copyParameters, listCopiedIds } from './parameter-rows.ts';
import { ReferenceCopies } from './reference-copies.ts';
import { ValueCopies } from './value-copies.ts';

interface CopyableProject {
  readonly id: ProjectId;
  readonly name: string;
  /** The project that this one depends on. */
  readonly parentId: ProjectId | null;
}

type Projects = ReadonlyMap<string, NamedObject>;

/** Copies a project with its contents. Copies its dependents on request. */
@Injectable()
export class ProjectCopies {
  constructor(
    private readonly reader: ProjectsReader,
    private readonly texts: CopiedTexts,
    private readonly values: ValueCopies,
    private readonly references: ReferenceCopies,
  ) {}

  copy(caller: Caller, id: ProjectId, input: ProjectCopyRequest): Command<ProjectRow> {
    return {
      operation: 'projects_copy_create',
      caller,
      isLong: true,
      run: async (context) => {
        const { caller, em } = context;
        const { organizationId } = caller;
        const all = await em.query<CopyableProject[]>(
          'select id, name, depends_on_id as "parentId" from project where organization_id = $1',
          [organizationId],
        );
        const source = all.find((project) => project.id === id);
        if (!source) throw Failure.notFound('Project');
        const { name, recursive, child_project_names: names } = input;
        const plan = copyPlan(all, id, { name, recursive, names });
        for (const { sourceId } of plan) assertAbilityOnScope(caller, 'read', sourceId);
        assertCopyNames(
          plan,
          all.map((project) => project.name),
          'project',
        );
        await assertProjectNames(
          em,
          organizationId,
          plan.map((copy) => copy.name),
        );
        const dependsOnId = chooseDependency(caller, all, source, input.depends_on);
        const copies = await addProjects(context, organizationId, plan, {
          dependsOnId,
          description: input.description,
        });
        await controlCopies(context, caller, { all, id, dependsOnId, copies });
        await this.copyContents(context, caller, copies);
        const copyId = copies.get(id)?.id ?? '';
        return (await this.reader.readOne(caller, copyId, 'now', SnapshotReader.within(em))).row;
      },
    };
  }

  private async copyContents(context: WriteContext, caller: Writer, projects: Projects): Promise<void> {
    const { em } = context;
    const { organizationId } = caller;
    const parameterRows = await em.query<{ id: string; name: string; project_id: string }[]>(
      'select id, name, project_id from parameter where organization_id = $1 and project_id = any($2::uuid[]) order by name',
      [organizationId, [...projects.keys()]],
    );
    const ids = parameterRows.map((parameter) => parameter.id);
    for (const { name, project_id: id } of parameterRows) {
      ignoreForbidden(caller, { project: findCopiedProject(projects, id).name, environment: null, name });
    }
    await assertCopySize(em, caller, { noun: 'parameter', ids }, projects.size + parameterRows.length);
    const parameters = await copyParameters(
      context,
      organizationId,
      parameterRows.map(({ id, name, project_id: source }) => ({
        sourceId: id,
        name,
        project: findCopiedProject(projects, source),
      })),
    );
    const texts = await this.texts.of(em, caller, projects);
    const copiedContext = (source: ValueContext) => ({ ...source, ...parameters.get(source.parameter.id) });
    const values = await this.values.copy(context, caller, { noun: 'parameter', ids }, copiedContext, texts);
    const templates = await copyTemplates(context, organizationId, projects, texts);
    const scopes = new Map([...projects].map(([from, { id }]) => [from, id]));
    await this.references.copy(em, caller, {
      values,
      templates,
      parameters: listCopiedIds(parameters),
      projects: scopes,
    });
  }
}

function findCopiedProject(projects: Projects, source: string): NamedObject {
  const copy = projects.get(source);
  if (!copy) throw new Error(`Project ${source} was not copied.`);
  return copy;
}

/** Returns the project that the copy depends on. Undefined keeps the dependency of the source; null removes it. */
function chooseDependency(
  caller: Caller,
  all: readonly CopyableProject[],
  source: CopyableProject,
  link: string | null | undefined,
): ProjectId | null {
  if (link === null) return null;
  const id = link === undefined ? source.parentId : idFromLink('depends_on', 'projects', link);
  if (id === null) return null;
  if (!all.some((project) => project.id === id)) throw unknownLinkError('depends_on', 'projects');
  assertAbilityOnScope(caller, 'read', id);
  return id;
}

interface Copied {
  readonly all: readonly CopyableProject[];
  /** The id of the source. */
  readonly id: ProjectId;
  /** The project that the copy depends on. */
  readonly dependsOnId: ProjectId | null;
  readonly copies: Projects;
}

/**
 * Keeps copies under access control. The copy of a controlled project is controlled. If the copy no longer inherits the
 * control of another project, it gets its own.
 */
async function controlCopies(context: WriteContext, caller: Caller, { all, id, dependsOnId, copies }: Copied) {
  const controlledScopes = await readControlledScopes(context.em, caller.organizationId);
  const dependsOn = new Map(all.map((project) => [project.id, project.parentId]));
  const controllingProject = findControllingProject(dependsOn, controlledScopes, id);
  const isLost =
    controllingProject !== null &&
    controllingProject !== findControllingProject(dependsOn, controlledScopes, dependsOnId);
  const forbiddenScopeIds = [...copies].filter(
    ([sourceId]) => controlledScopes.has(sourceId) || (sourceId === id && isLost),
  );
  await becomeOwner(
    context,
    caller,
    forbiddenScopeIds.map(([, copy]) => ({ project_id: copy.id, environment_id: null, name: copy.name })),
  );
}

interface Top {
  readonly dependsOnId: ProjectId | null;
  readonly description: string | undefined;
}

/** Creates the projects with one statement, and returns the copies by the id of the source. */
async function addProjects(
  { em, record }: WriteContext,
  organizationId: OrganizationId,
  plan: readonly PlannedCopy[],
  { dependsOnId, description }: Top,
): Promise<Projects> {
  const copies = new Map(plan.map(({ sourceId, name }) => [sourceId, { id: randomUUID() as string, name }]));
  await copyRows(em, organizationId, 'project', {
    sources: [...copies.keys()],
    ids: [...copies.values()].map(({ id }) => id),
    set: {
      name: plan.map(({ name }) => name),
      depends_on_id: plan.map(({ parentSourceId }) =>
        parentSourceId === null ? dependsOnId : copies.get(parentSourceId)?.id,
      ),
    },
    replaced: {
      description: plan.map(({ parentSourceId }) => (parentSourceId === null ? (description ?? null) : null)),
    },
  });
  for (const project of copies.values()) {
    record(objectChange('create', 'Project', project));
  }
  return copies;
}

async function copyTemplates(
  { em, record }: Pick<WriteContext, 'record'> & { readonly em: EntityManager },
  organizationId: OrganizationId,
  projects: Projects,
  texts: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const templates = await em.query<{ id: string; name: string; project_id: string }[]>(
    'select id, name, project_id from template where organization_id = $1 and project_id = any($2::uuid[]) order by name',
    [organizationId, [...projects.keys()]],
  );
  const copies = new Map(templates.map(({ id }) => [id, randomUUID() as string]));
  if (templates.length === 0) return copies;
  await copyRows(em, organizationId, 'template', {
    sources: [...copies.keys()],
    ids: [...copies.values()],
    set: { project_id: templates.map(({ project_id: source }) => findCopiedProject(projects, source).id) },
    replaced: { body: templates.map(({ id }) => texts.get(id) ?? null) },
  });
  for (const { id, name, project_id: source } of templates) {
    const object = { id: copies.get(id) ?? '', name };
    const project = findCopiedProject(projects, source);
    record(objectChange('create', 'Template', object, { project }));
  }
  return copies;
}
