import { compareNames } from './human-order.ts';
import type { EnvironmentId, ParameterId, ProjectId } from './ids.ts';
import { effectiveValueOfName, indexValues, type ValueIndex, type ValueRow, valuesOfName } from './precedence.ts';
import { lineages } from './tree.ts';

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
 * The rows of one project's configuration at one point in time. Callers may add columns to the rows and get the same
 * rows back.
 */
export interface ProjectConfiguration<P extends ParameterRow = ParameterRow, V extends ValueRow = ValueRow> {
  /** All environments of the organization, in any order. */
  readonly environments: readonly EnvironmentNode[];
  /** The project, then the one it depends on, and so on to the top. */
  readonly projectChain: readonly ProjectNode[];
  /** Must include the parameters of these projects; others are ignored. */
  readonly parameters: readonly P[];
  /** Must include the explicit values of these parameters; others are ignored. */
  readonly values: readonly V[];
}

export interface VisibleParameter<P extends ParameterRow> {
  /** The nearest owner of the name, which is the parameter that the project shows. */
  readonly parameter: P;
  /** The next owner of the same name further up the chain. */
  readonly overridden: P | null;
  /** Every owner of the name, nearest first; never empty. */
  readonly owners: readonly P[];
}

export interface Resolver<P extends ParameterRow, V extends ValueRow> {
  /** One entry per visible name, in human order. */
  readonly visible: readonly VisibleParameter<P>[];
  /**
   * Returns the effective value of the parameter's name, or null if there is none. Throws for a name that is not
   * visible.
   */
  at(parameter: Pick<P, 'name'>, environmentId: EnvironmentId): V | null;
  /** Returns the effective values of all visible names in one environment, in the order of `visible`. */
  inEnvironment(environmentId: EnvironmentId): readonly (V | null)[];
}

/**
 * Returns the parameters that a project shows: for each name, that of the nearest owner (behaviour.md §5.1). Ignores
 * parameters of projects outside the chain. Throws if a project owns a name twice.
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
  const visibleRows = [...ownersByName.values()].map(visibleParameter);
  return visibleRows.sort((left, right) => compareNames(left.parameter.name, right.parameter.name));
}

/** Returns the parameters of each project of the chain, in the order of the chain. */
function groupByProject<P extends ParameterRow>(chain: readonly Pick<ProjectNode, 'id'>[], parameters: readonly P[]) {
  const groups = new Map<ProjectId, P[]>(chain.map(({ id }) => [id, []]));
  for (const parameter of parameters) groups.get(parameter.projectId)?.push(parameter);
  return groups.values();
}

function visibleParameter<P extends ParameterRow>(owners: readonly P[]): VisibleParameter<P> {
  const [parameter, overriddenParameter = null] = owners;
  if (parameter === undefined) throw new Error('A name without an owner is not visible.');
  return { parameter, overridden: overriddenParameter, owners };
}

/** Returns the effective value of one name in the first of `environments`, which is the lineage. */
export function effectiveValue<V extends ValueRow>(
  owners: readonly Pick<ParameterRow, 'id'>[],
  environments: readonly EnvironmentId[],
  values: ValueIndex<V>,
): V | null {
  return effectiveValueOfName(valuesOfName(owners, values), environments);
}

/** Resolves every visible name in any environment. */
export function createResolver<P extends ParameterRow, V extends ValueRow>(
  snapshot: ProjectConfiguration<P, V>,
): Resolver<P, V> {
  const visibleRows = visibleParameters(snapshot.projectChain, snapshot.parameters);
  const index = indexValues(snapshot.values);
  const explicitValues = visibleRows.map(({ owners }) => valuesOfName(owners, index));
  const explicitByName = new Map(visibleRows.map(({ parameter }, i) => [parameter.name, explicitValues[i]]));
  const findLineage = lineages(snapshot.environments);

  return {
    visible: visibleRows,
    at({ name }, environmentId) {
      const values = explicitByName.get(name);
      if (values === undefined) throw new Error('This project does not show the parameter.');
      return effectiveValueOfName(values, findLineage(environmentId));
    },
    inEnvironment(environmentId) {
      const environments = findLineage(environmentId);
      return explicitValues.map((values) => effectiveValueOfName(values, environments));
    },
  };
}
