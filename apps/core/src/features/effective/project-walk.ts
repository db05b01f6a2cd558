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

/** The number of projects that the first statement reads. It reads all projects that they depend on, too. */
const FIRST_PROJECTS = 4;
const PROJECTS_MAX = 64;
/** The number of rows to read with one statement. Parsing a result blocks the event loop, so this bounds the delay. */
const ROWS_PER_STATEMENT = 4_000;

/** One project with everything that it shows. */
export interface WalkedProject {
  readonly project: ProjectLink;
  /** One entry for each visible name, in natural order. */
  readonly visible: readonly VisibleParameter<ParameterRecord>[];
  readonly index: ValueIndex<ValueRecord>;
  /** Every parameter of the project and of those it depends on, by id. */
  readonly owners: ReadonlyMap<ParameterId, ParameterRecord>;
}

/** Selects the rows to read. */
export interface WalkSelection {
  /** Names or ids of environments; only values that are visible there are read. */
  readonly environments?: readonly string[] | undefined;
  /** Only parameters of these names are read. */
  readonly names?: readonly string[] | undefined;
}

/** Returns a function that computes the lineage of each environment once. */
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
 * Returns the projects that the caller may read, in list order. Each named project must exist (404) and be readable
 * (403); without names, forbidden projects are left out.
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

/** Does the same for environments. */
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

/** Sorts by name in natural order, then by id. */
export function compareListOrder(
  [name, id]: readonly [string, string],
  [other, otherId]: readonly [string, string],
): number {
  return compareNames(name, other) || (id < otherId ? -1 : id > otherId ? 1 : 0);
}

/** Reads projects in small groups, all at one revision. */
@Injectable()
export class ProjectWalks {
  constructor(private readonly loader: SnapshotLoader) {}

  /** Yields one project after the other, in the given order, and reads each group only when it is needed. */
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
      // Parsing the rows took time, and the yield steps will, too.
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
   * Usually nothing was written since the forest was read, so the present is read first, and the past only if it has
   * changed.
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

/** Returns the number of projects that should fill the next statement, if they are like the last ones. */
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
