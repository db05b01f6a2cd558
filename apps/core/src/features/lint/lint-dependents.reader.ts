import { Injectable } from '@nestjs/common';
import {
  canOnScope,
  type DependentName,
  isLeftOutOfExports,
  listSubtree,
  type Permissions,
  type ProjectId,
  type ProjectLink,
  projectChain,
} from '@strata/domain';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { type PointInTime, rowsAt } from '../../platform/postgres/versioned-table.ts';
import { ProjectWalks } from '../effective/project-walk.ts';
import type { Forest } from '../snapshot/forest.ts';
import type { ValueRecord } from '../snapshot/snapshot.ts';

interface UsageRows {
  readonly mentions: { readonly name: string }[];
  readonly namesakes: { readonly name: string }[];
}

/** The uses of a project's names in the project and its dependents, including those that the caller may not read. */
export interface NameUsage {
  isMentioned(name: string): boolean;
  /** Returns whether a dependent project defines a parameter with that name. */
  isDefinedBelow(name: string): boolean;
  /** Whether a text refers to a name that exports leave out. */
  readonly mentionsUnexportedNames: boolean;
}

/** Reads the dependents of a project, but only for given names. */
@Injectable()
export class LintDependentsReader {
  constructor(
    private readonly reader: SnapshotReader,
    private readonly walks: ProjectWalks,
  ) {}

  /** Returns the projects that depend on a project, directly or transitively. */
  below({ projects }: Forest, projectId: ProjectId): readonly ProjectLink[] {
    const nodes = new Map(projects.map(({ id, dependsOnId }) => [id, { id, parentId: dependsOnId }]));
    const ids = new Set(listSubtree(nodes, projectId).slice(1));
    return projects.filter(({ id }) => ids.has(id));
  }

  /** Returns the uses of names. Runs one statement, or two if a write happened in between. */
  async ofNames(forest: Forest, projectId: ProjectId, names: readonly string[]): Promise<NameUsage> {
    const dependentProjects = this.below(forest, projectId).map(({ id }) => id);
    const read = (at: PointInTime) =>
      this.reader.sets<UsageRows>(
        { organizationId: forest.organizationId, at },
        {
          mentions: `select distinct reference.name from ${rowsAt('reference', at)} reference
            where reference.kind <> 'template' and reference.project_id = any($3::uuid[])`,
          namesakes: `select distinct parameter.name from ${rowsAt('parameter', at)} parameter
            where parameter.project_id = any($5::uuid[]) and parameter.name = any($4::text[])`,
        },
        [[projectId, ...dependentProjects], names, dependentProjects],
      );
    const currentRows = forest.at === 'now' ? await read('now') : null;
    const rowsAtRevision = currentRows?.revision === forest.revision ? currentRows : await read(forest.revision);
    const [mentionRows, sameNamed] = [rowsAtRevision.mentions, rowsAtRevision.namesakes].map(
      (rows) => new Set(rows.map(({ name }) => name)),
    );
    // The empty name stands for a reference to all parameters.
    const isAll = mentionRows?.has('') ?? false;
    return {
      isMentioned: (name) => isAll || (mentionRows?.has(name) ?? false),
      isDefinedBelow: (name) => sameNamed?.has(name) ?? false,
      mentionsUnexportedNames: rowsAtRevision.mentions.some(({ name }) => name !== '' && isLeftOutOfExports(name)),
    };
  }

  /** Returns, for each name with redundant values, how the dependent projects resolve it. */
  async dependents(
    forest: Forest,
    permissions: Permissions,
    projectId: ProjectId,
    names: readonly string[],
  ): Promise<ReadonlyMap<string, readonly DependentName<ValueRecord>[]>> {
    const dependentsByName = new Map<string, DependentName<ValueRecord>[]>(names.map((name) => [name, []]));
    const dependentProjects = names.length === 0 ? [] : this.below(forest, projectId);
    for await (const walkedProject of this.walks.of(forest, dependentProjects, { namesOf: () => names })) {
      const { visible, index, project } = walkedProject;
      const chain = projectChain(forest.projects, project.id);
      const between = chain.slice(0, chain.indexOf(projectId));
      const isOpen = between.every((id) => canOnScope(permissions, 'read', id));
      for (const { parameter, owners } of visible) {
        dependentsByName
          .get(parameter.name)
          ?.push({ projectId: project.id, owners, index, projectChain: chain, isOpen });
      }
    }
    return dependentsByName;
  }
}
