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
import { assertChainReadable, canReadChain, chainOf, oneOf } from '../snapshot/lookup.ts';
import type { ConfigurationSnapshot, ParameterRecord, ValueRecord } from '../snapshot/snapshot.ts';
import { SnapshotLoader } from '../snapshot/snapshot-loader.ts';

/** How many projects are read with the first statement; what they depend on is read once for all of them. */
const FIRST_PROJECTS = 4;
const PROJECTS_MAX = 64;
/** How many rows are to come with one statement: to read their text is work that nobody is let in between. */
const ROWS_PER_STATEMENT = 4_000;

/** One project with all that it shows. */
export interface WalkedProject {
  readonly project: ProjectLink;
  /** One entry for each visible name, in human order. */
  readonly visible: readonly VisibleParameter<ParameterRecord>[];
  readonly index: ValueIndex<ValueRecord>;
  /** Every parameter of the projects that it is made of, by id. */
  readonly owners: ReadonlyMap<ParameterId, ParameterRecord>;
}

/** What of the projects is read. */
export interface WalkedRows {
  /** Names or ids: only values that can be seen there. */
  readonly environments?: readonly string[] | undefined;
  /** Only parameters of these names. */
  readonly names?: readonly string[] | undefined;
}

/** The lineage of each environment, worked out once. */
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
 * The projects that somebody may see, in the order of lists; of those that are named each must be there (404) and open to them
 * (403), of all others the closed ones are left out.
 */
export function readableProjects(
  forest: Forest,
  permissions: Permissions,
  named: readonly string[] | undefined,
): readonly ProjectLink[] {
  const found = named?.map((nameOrId) => {
    const project = oneOf(forest.projects, nameOrId, { thing: 'Project', at: forest.at, requested: named });
    assertOnScope(permissions, 'read', project.id);
    assertChainReadable(forest, project.id, permissions);
    return project;
  });
  const readable = found ?? forest.projects.filter(({ id }) => canReadChain(forest, id, permissions));
  return [...new Set(readable)].sort((left, right) => inListOrder([left.name, left.id], [right.name, right.id]));
}

/** The same for environments. */
export function readableEnvironments(
  { environments, at }: Forest,
  permissions: Permissions,
  named: readonly string[] | undefined,
): readonly EnvironmentNode[] {
  const found = named?.map((nameOrId) => {
    const environment = oneOf(environments, nameOrId, { thing: 'Environment', at, requested: named });
    assertOnScope(permissions, 'read', environment.id);
    return environment;
  });
  const readable = found ?? environments.filter(({ id }) => canOnScope(permissions, 'read', id));
  return [...new Set(readable)].sort((left, right) => inListOrder([left.name, left.id], [right.name, right.id]));
}

/** Names as people sort them, then ids. */
export function inListOrder(
  [name, id]: readonly [string, string],
  [other, otherId]: readonly [string, string],
): number {
  return compareNames(name, other) || (id < otherId ? -1 : id > otherId ? 1 : 0);
}

/** Reads projects a few at a time, all at one revision. */
@Injectable()
export class ProjectWalks {
  constructor(private readonly loader: SnapshotLoader) {}

  /** One after the other, in the given order; nothing is read before it is asked for. */
  async *of(
    forest: Forest,
    projects: readonly ProjectLink[],
    rows: WalkedRows = {},
  ): AsyncGenerator<WalkedProject, void> {
    const yielder = new EventLoopYielder();
    let size = FIRST_PROJECTS;
    for (let start = 0; start < projects.length; ) {
      const some = projects.slice(start, start + size);
      start += some.length;
      const snapshot = await this.load(forest, some, rows);
      // to read the rows' text was work, and so is what follows
      await yielder.next();
      size = nextSize(some.length, snapshot.parameters.length + snapshot.values.length);
      const parametersOf = Map.groupBy(snapshot.parameters, ({ projectId }) => projectId);
      const valuesOf = Map.groupBy(snapshot.values, ({ parameterId }) => parameterId);
      for (const project of some) {
        const found = walked(snapshot, project, parametersOf, valuesOf);
        if (yielder.isOver) await yielder.next();
        yield found;
      }
    }
  }

  /** The present has mostly not moved since the forest was read; if it has, the past is asked. */
  private async load(
    { organizationId, at, revision }: Forest,
    projects: readonly ProjectLink[],
    { environments, names }: WalkedRows,
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

/** As many as bring about the rows that are wanted, if the next projects are like the last ones. */
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
