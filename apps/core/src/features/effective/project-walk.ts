import { Injectable } from '@nestjs/common';
import {
  assertAbilityOnScope,
  canOnScope,
  compareNames,
  type EnvironmentId,
  type EnvironmentNode,
  indexById,
  indexValues,
  listLineage,
  type ParameterId,
  type Permissions,
  type ProjectId,
  type ProjectLink,
  type ValueIndex,
  type VisibleParameter,
  visibleParameters,
} from '@strata/domain';
import { EventLoopYielder } from '../../platform/event-loop-yielder.ts';
import type { Forest } from '../snapshot/forest.ts';
import { assertChainReadable, canReadChain, findByName, findProjectChain } from '../snapshot/lookup.ts';
import type { ConfigurationSnapshot, ParameterRecord, ValueRecord } from '../snapshot/snapshot.ts';
import { SnapshotLoader } from '../snapshot/snapshot-loader.ts';
import { PartQueue, type ProjectPart } from './part-queue.ts';

/** One project, or a part of it, with the visible names and their values. */
export interface WalkedProject {
  readonly project: ProjectLink;
  /** Whether no further part of the project follows. */
  readonly isLastPart: boolean;
  /** One entry for each visible name that was requested, in natural order. */
  readonly visible: readonly VisibleParameter<ParameterRecord>[];
  readonly index: ValueIndex<ValueRecord>;
  /** All parameters of the project and of the projects that it depends on, by id. */
  readonly owners: ReadonlyMap<ParameterId, ParameterRecord>;
}

/** The rows to read. */
export interface WalkSelection {
  /** Names or ids of environments. Only values that are visible there are read. */
  readonly environments?: readonly string[] | undefined;
  /** Returns the names to read of a project, in natural order. If undefined, all names are read, without parts. */
  readonly namesOf?: ((project: ProjectLink) => readonly string[]) | undefined;
}

/** Returns a function that returns the lineage of an environment, and computes each lineage once. */
export function listLineages({
  environments,
}: Pick<Forest, 'environments'>): (environmentId: EnvironmentId) => readonly EnvironmentId[] {
  const nodes = indexById(environments);
  const lineagesById = new Map<EnvironmentId, readonly EnvironmentId[]>();
  return (environmentId) => {
    const environmentLineage = lineagesById.get(environmentId) ?? listLineage(nodes, environmentId);
    lineagesById.set(environmentId, environmentLineage);
    return environmentLineage;
  };
}

/**
 * Returns the projects that the caller may read, in list order. Throws 404 if a named project does not exist, and 403
 * if it is forbidden. Without names, leaves out forbidden projects.
 */
export function readableProjects(
  forest: Forest,
  permissions: Permissions,
  requestedNames: readonly string[] | undefined,
): readonly ProjectLink[] {
  const namedProjects = requestedNames?.map((nameOrId) => {
    const project = findByName(forest.projects, nameOrId, {
      type: 'Project',
      at: forest.at,
      requested: requestedNames,
    });
    assertAbilityOnScope(permissions, 'read', project.id, '/project');
    assertChainReadable(forest, project.id, permissions);
    return project;
  });
  const readableProjects = namedProjects ?? forest.projects.filter(({ id }) => canReadChain(forest, id, permissions));
  return [...new Set(readableProjects)].sort((left, right) =>
    compareListOrder([left.name, left.id], [right.name, right.id]),
  );
}

/** Returns the environments that the caller may read. Throws for named environments as `readableProjects` does. */
export function readableEnvironments(
  { environments, at }: Forest,
  permissions: Permissions,
  requestedNames: readonly string[] | undefined,
): readonly EnvironmentNode[] {
  const namedEnvironments = requestedNames?.map((nameOrId) => {
    const environment = findByName(environments, nameOrId, { type: 'Environment', at, requested: requestedNames });
    assertAbilityOnScope(permissions, 'read', environment.id, '/environment');
    return environment;
  });
  const readableEnvironments =
    namedEnvironments ?? environments.filter(({ id }) => canOnScope(permissions, 'read', id));
  return [...new Set(readableEnvironments)].sort((left, right) =>
    compareListOrder([left.name, left.id], [right.name, right.id]),
  );
}

/** Compares by name in natural order, then by id. */
export function compareListOrder(
  [name, id]: readonly [string, string],
  [otherName, otherId]: readonly [string, string],
): number {
  return compareNames(name, otherName) || (id < otherId ? -1 : id > otherId ? 1 : 0);
}

/** Reads projects in small groups. All groups show the same revision. */
@Injectable()
export class ProjectWalks {
  constructor(private readonly loader: SnapshotLoader) {}

  /**
   * Yields the projects in the given order, and a project with many requested names in several parts. Reads each group
   * only when it is needed.
   */
  async *of(
    forest: Forest,
    projects: readonly ProjectLink[],
    { environments, namesOf }: WalkSelection = {},
  ): AsyncGenerator<WalkedProject, void> {
    const yielder = new EventLoopYielder();
    const queue = new PartQueue(projects, namesOf);
    for (let parts = queue.next(); parts.length > 0; parts = queue.next()) {
      const snapshot = await this.load(forest, parts, environments);
      // Yields to the event loop, because parsing the rows took time, and the following steps take time as well.
      await yielder.yield();
      queue.adapt(parts, snapshot.parameters.length + snapshot.values.length);
      const parametersOf = Map.groupBy(snapshot.parameters, ({ projectId }) => projectId);
      const valuesOf = Map.groupBy(snapshot.values, ({ parameterId }) => parameterId);
      for (const part of parts) {
        const page = walked(snapshot, part, parametersOf, valuesOf);
        if (yielder.isDue) await yielder.yield();
        yield page;
      }
    }
  }

  /**
   * Reads a group at the forest's revision. Usually nothing was written since the forest was read, so this reads the
   * present first, and the past only if the revision has changed.
   */
  private async load(
    { organizationId, at, revision }: Forest,
    parts: readonly ProjectPart[],
    environments: readonly string[] | undefined,
  ): Promise<ConfigurationSnapshot> {
    const query = {
      organizationId,
      projectIds: parts.map(({ project }) => project.id),
      environments,
      names: parts[0]?.names && [...new Set(parts.flatMap(({ names = [] }) => names))],
      parameters: 'complete',
      values: 'complete',
    } as const;
    const currentSnapshot = at === 'now' ? await this.loader.load({ ...query, at: 'now' }) : null;
    return currentSnapshot?.head.revision === revision ? currentSnapshot : this.loader.load({ ...query, at: revision });
  }
}

function walked(
  snapshot: ConfigurationSnapshot,
  { project, names, isLast }: ProjectPart,
  parametersOf: ReadonlyMap<ProjectId, readonly ParameterRecord[]>,
  valuesOf: ReadonlyMap<ParameterId, readonly ValueRecord[]>,
): WalkedProject {
  const chain = findProjectChain(snapshot, project.id);
  const read = chain.flatMap(({ id }) => parametersOf.get(id) ?? []);
  // The rows contain the names that any project of the group requested.
  const nameSet = names && new Set(names);
  const parameters = nameSet ? read.filter(({ name }) => nameSet.has(name)) : read;
  return {
    project,
    isLastPart: isLast,
    visible: visibleParameters(chain, parameters),
    index: indexValues(parameters.flatMap(({ id }) => valuesOf.get(id) ?? [])),
    owners: indexById(parameters),
  };
}
