import { Injectable } from '@nestjs/common';
import {
  assertOnScope,
  byId,
  canOnScope,
  compareNames,
  type EnvironmentId,
  type EnvironmentNode,
  indexValues,
  lineage,
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
import { assertChainReadable, canReadChain, chainOf, findNamed } from '../snapshot/lookup.ts';
import type { ConfigurationSnapshot, ParameterRecord, ValueRecord } from '../snapshot/snapshot.ts';
import { SnapshotLoader } from '../snapshot/snapshot-loader.ts';

/** The number of projects that the first statement reads. The statement also reads all projects that they depend on. */
const FIRST_PROJECTS = 4;
const PROJECTS_MAX = 64;
/** The target number of rows per statement. Parsing a result blocks the event loop, so this limits the delay. */
const ROWS_PER_STATEMENT = 4_000;

/** One project with its visible names and their values. */
export interface WalkedProject {
  readonly project: ProjectLink;
  /** One entry for each visible name, in natural order. */
  readonly visible: readonly VisibleParameter<ParameterRecord>[];
  readonly index: ValueIndex<ValueRecord>;
  /** All parameters of the project and of the projects that it depends on, by id. */
  readonly owners: ReadonlyMap<ParameterId, ParameterRecord>;
}

/** The rows to read. */
export interface WalkSelection {
  /** Names or ids of environments. Only values that are visible there are read. */
  readonly environments?: readonly string[] | undefined;
  /** Names of parameters. Only these are read. */
  readonly names?: readonly string[] | undefined;
}

/** Returns a function that returns the lineage of an environment, and computes each lineage once. */
export function lineagesOf({
  environments,
}: Pick<Forest, 'environments'>): (environmentId: EnvironmentId) => readonly EnvironmentId[] {
  const nodes = byId(environments);
  const known = new Map<EnvironmentId, readonly EnvironmentId[]>();
  return (environmentId) => {
    const found = known.get(environmentId) ?? lineage(nodes, environmentId);
    known.set(environmentId, found);
    return found;
  };
}

/**
 * Returns the projects that the caller may read, in list order. Throws 404 if a named project does not exist, and 403
 * if it is forbidden. Without names, leaves out forbidden projects.
 */
export function readableProjects(
  forest: Forest,
  permissions: Permissions,
  named: readonly string[] | undefined,
): readonly ProjectLink[] {
  const found = named?.map((nameOrId) => {
    const project = findNamed(forest.projects, nameOrId, { thing: 'Project', at: forest.at, requested: named });
    assertOnScope(permissions, 'read', project.id);
    assertChainReadable(forest, project.id, permissions);
    return project;
  });
  const readable = found ?? forest.projects.filter(({ id }) => canReadChain(forest, id, permissions));
  return [...new Set(readable)].sort((left, right) => compareListOrder([left.name, left.id], [right.name, right.id]));
}

/** Returns the environments that the caller may read. Throws for named environments as `readableProjects` does. */
export function readableEnvironments(
  { environments, at }: Forest,
  permissions: Permissions,
  named: readonly string[] | undefined,
): readonly EnvironmentNode[] {
  const found = named?.map((nameOrId) => {
    const environment = findNamed(environments, nameOrId, { thing: 'Environment', at, requested: named });
    assertOnScope(permissions, 'read', environment.id);
    return environment;
  });
  const readable = found ?? environments.filter(({ id }) => canOnScope(permissions, 'read', id));
  return [...new Set(readable)].sort((left, right) => compareListOrder([left.name, left.id], [right.name, right.id]));
}

/** Compares by name in natural order, then by id. */
export function compareListOrder(
  [name, id]: readonly [string, string],
  [other, otherId]: readonly [string, string],
): number {
  return compareNames(name, other) || (id < otherId ? -1 : id > otherId ? 1 : 0);
}

/** Reads projects in small groups. All groups show the same revision. */
@Injectable()
export class ProjectWalks {
  constructor(private readonly loader: SnapshotLoader) {}

  /** Yields the projects in the given order. Reads each group of projects only when it is needed. */
  async *of(
    forest: Forest,
    projects: readonly ProjectLink[],
    rows: WalkSelection = {},
  ): AsyncGenerator<WalkedProject, void> {
    const yielder = new EventLoopYielder();
    let size = FIRST_PROJECTS;
    for (let start = 0; start < projects.length; ) {
      const some = projects.slice(start, start + size);
      start += some.length;
      const snapshot = await this.load(forest, some, rows);
      // Yields to the event loop, because parsing the rows took time, and the following steps take time as well.
      await yielder.yield();
      size = nextSize(some.length, snapshot.parameters.length + snapshot.values.length);
      const parametersOf = Map.groupBy(snapshot.parameters, ({ projectId }) => projectId);
      const valuesOf = Map.groupBy(snapshot.values, ({ parameterId }) => parameterId);
      for (const project of some) {
        const found = walked(snapshot, project, parametersOf, valuesOf);
        if (yielder.isDue) await yielder.yield();
        yield found;
      }
    }
  }

  /**
   * Reads a group at the forest's revision. Usually nothing was written since the forest was read, so this reads the
   * present first, and the past only if the revision has changed.
   */
  private async load(
    { organizationId, at, revision }: Forest,
    projects: readonly ProjectLink[],
    { environments, names }: WalkSelection,
  ): Promise<ConfigurationSnapshot> {
    const query = {
      organizationId,
      projectIds: projects.map(({ id }) => id),
      environments,
      names,
      parameters: 'complete',
      values: 'complete',
    } as const;
    const present = at === 'now' ? await this.loader.load({ ...query, at: 'now' }) : null;
    return present?.head.revision === revision ? present : this.loader.load({ ...query, at: revision });
  }
}

/** Returns how many projects to read with the next statement, assuming that they have as many rows as the last ones. */
function nextSize(size: number, rows: number): number {
  const fitting = Math.floor((size * ROWS_PER_STATEMENT) / Math.max(rows, 1));
  return Math.min(PROJECTS_MAX, 4 * size, Math.max(1, fitting));
}

function walked(
  snapshot: ConfigurationSnapshot,
  project: ProjectLink,
  parametersOf: ReadonlyMap<ProjectId, readonly ParameterRecord[]>,
  valuesOf: ReadonlyMap<ParameterId, readonly ValueRecord[]>,
): WalkedProject {
  const chain = chainOf(snapshot, project.id);
  const parameters = chain.flatMap(({ id }) => parametersOf.get(id) ?? []);
  return {
    project,
    visible: visibleParameters(chain, parameters),
    index: indexValues(parameters.flatMap(({ id }) => valuesOf.get(id) ?? [])),
    owners: byId(parameters),
  };
}
