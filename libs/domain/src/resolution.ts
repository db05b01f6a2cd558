import { compareNames } from './human-order.ts';
import type { EnvironmentId, ParameterId, ProjectId } from './ids.ts';
import { indexValues, type ValueIndex, type ValueRow, valuesOfName, valueThatApplies } from './precedence.ts';
import { byId, lineage } from './tree.ts';

export interface EnvironmentNode {
  readonly id: EnvironmentId;
  readonly name: string;
  readonly parentId: EnvironmentId | null;
}

export interface ProjectNode {
  readonly id: ProjectId;
  readonly name: string;
}

export interface ParameterRow {
  readonly id: ParameterId;
  readonly projectId: ProjectId;
  readonly name: string;
}

/**
 * What one project's configuration is made of at one point in time. Callers add the columns that they need to the
 * rows and get the same rows back.
 */
export interface ProjectConfiguration<P extends ParameterRow = ParameterRow, V extends ValueRow = ValueRow> {
  /** All environments of the organization, in any order. */
  readonly environments: readonly EnvironmentNode[];
  /** The project, then the one it depends on, and so on to the top. */
  readonly projectChain: readonly ProjectNode[];
  /** Parameters of at least these projects. */
  readonly parameters: readonly P[];
  /** Explicit values of at least these parameters. */
  readonly values: readonly V[];
}

export interface VisibleParameter<P extends ParameterRow> {
  /** The nearest owner of the name; this is the object that the project shows. */
  readonly parameter: P;
  /** The next owner of the same name further up the chain. */
  readonly overridden: P | null;
  /** Every owner of the name, nearest first; never empty. */
  readonly owners: readonly P[];
}

export interface Resolver<P extends ParameterRow, V extends ValueRow> {
  /** One entry for each visible name, in human order. */
  readonly visible: readonly VisibleParameter<P>[];
  /** The effective value of the parameter's name; null when there is none. Throws for a name that is not visible. */
  at(parameter: Pick<P, 'name'>, environmentId: EnvironmentId): V | null;
  /** The effective values of all visible names in one environment, in the order of `visible`. */
  inEnvironment(environmentId: EnvironmentId): readonly (V | null)[];
}

/**
 * Which parameters a project shows: for each name the nearest owner wins (behaviour.md §5.1).
 * Parameters of projects outside the chain are left out. Throws when a project owns a name twice.
 */
export function visibleParameters<P extends ParameterRow>(
  chain: readonly Pick<ProjectNode, 'id'>[],
  parameters: readonly P[],
): readonly VisibleParameter<P>[] {
  const ownersByName = new Map<string, P[]>();
  for (const ofProject of groupByProject(chain, parameters)) {
    for (const parameter of ofProject) {
      const owners = ownersByName.get(parameter.name);
      if (owners === undefined) ownersByName.set(parameter.name, [parameter]);
      else if (owners.at(-1)?.projectId !== parameter.projectId) owners.push(parameter);
      else throw new Error(`Project ${parameter.projectId} owns one name twice: ${parameter.id}.`);
    }
  }
  const visible = [...ownersByName.values()].map(visibleParameter);
  return visible.sort((left, right) => compareNames(left.parameter.name, right.parameter.name));
}

/** The parameters of each project of the chain, in the order of the chain. */
function groupByProject<P extends ParameterRow>(chain: readonly Pick<ProjectNode, 'id'>[], parameters: readonly P[]) {
  const groups = new Map<ProjectId, P[]>(chain.map(({ id }) => [id, []]));
  for (const parameter of parameters) groups.get(parameter.projectId)?.push(parameter);
  return groups.values();
}

function visibleParameter<P extends ParameterRow>(owners: readonly P[]): VisibleParameter<P> {
  const [parameter, overridden = null] = owners;
  if (parameter === undefined) throw new Error('A name without an owner is not visible.');
  return { parameter, overridden, owners };
}

/** The value of one name in one environment: the first of `environments` is the one that is asked about. */
export function effectiveValue<V extends ValueRow>(
  owners: readonly Pick<ParameterRow, 'id'>[],
  environments: readonly EnvironmentId[],
  values: ValueIndex<V>,
): V | null {
  return valueThatApplies(valuesOfName(owners, values), environments);
}

/** Answers for every visible name in every environment. */
export function resolver<P extends ParameterRow, V extends ValueRow>(
  snapshot: ProjectConfiguration<P, V>,
): Resolver<P, V> {
  const visible = visibleParameters(snapshot.projectChain, snapshot.parameters);
  const index = indexValues(snapshot.values);
  const explicit = visible.map(({ owners }) => valuesOfName(owners, index));
  const explicitByName = new Map(visible.map(({ parameter }, i) => [parameter.name, explicit[i]]));
  const nodes = byId(snapshot.environments);
  const lineages = new Map<EnvironmentId, readonly EnvironmentId[]>();

  function lineageOf(environmentId: EnvironmentId): readonly EnvironmentId[] {
    const known = lineages.get(environmentId);
    if (known !== undefined) return known;
    const found = lineage(nodes, environmentId);
    lineages.set(environmentId, found);
    return found;
  }

  return {
    visible,
    at({ name }, environmentId) {
      const values = explicitByName.get(name);
      if (values === undefined) throw new Error('This project does not show the parameter.');
      return valueThatApplies(values, lineageOf(environmentId));
    },
    inEnvironment(environmentId) {
      const environments = lineageOf(environmentId);
      return explicit.map((values) => valueThatApplies(values, environments));
    },
  };
}
