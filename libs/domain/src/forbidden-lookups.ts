import type { EnvironmentId, ParameterId, ProjectId } from './ids.ts';
import { indexValues, locationsInOrder, type ValueIndex, type ValueRow } from './precedence.ts';
import { type ProjectLink, projectChain } from './reference.ts';
import type { EnvironmentNode, ParameterRow } from './resolution.ts';
import type { ScopeId } from './scope.ts';
import { indexById, listLineage } from './tree.ts';

/** The rows in which names are resolved. */
export interface LookupRows {
  readonly environments: readonly EnvironmentNode[];
  readonly projects: readonly ProjectLink[];
  readonly parameters: readonly ParameterRow[];
  readonly values: readonly ValueRow[];
}

/**
 * Finds the forbidden cells that determine the effective value of a name. If the caller cannot read the value inherited
 * from these cells, the result is the same whether or not they have a value.
 */
export class ForbiddenLookups {
  private readonly owners: ReadonlyMap<ProjectId, ReadonlyMap<string, ParameterId>>;
  private readonly values: ValueIndex<ValueRow>;
  private readonly nodes: ReadonlyMap<string, EnvironmentNode>;
  private readonly chains = new Map<ProjectId, readonly ProjectId[]>();
  private readonly lineages = new Map<EnvironmentId, readonly EnvironmentId[]>();

  constructor(
    private readonly rows: LookupRows,
    private readonly forbiddenScopeIds: ReadonlySet<ScopeId>,
  ) {
    const byProject = Map.groupBy(rows.parameters, ({ projectId }) => projectId);
    this.owners = new Map(
      [...byProject].map(([id, projectParameters]) => [
        id,
        new Map(projectParameters.map((parameter) => [parameter.name, parameter.id])),
      ]),
    );
    this.values = indexValues(rows.values);
    this.nodes = indexById(rows.environments);
  }

  /**
   * Returns the forbidden locations that resolution checks until it finds a value, including the location of that value. A forbidden
   * project counts whether or not it has a parameter of this name. Returns none for an environment that does not exist.
   */
  of(projectId: ProjectId, name: string, environmentId: EnvironmentId): readonly string[] {
    const checkedKeys: string[] = [];
    for (const location of locationsInOrder(this.cachedLineage(environmentId), this.cachedChain(projectId))) {
      const { environmentId: environment, projectId: project } = location;
      const owner = this.owners.get(project)?.get(name);
      if (this.forbiddenScopeIds.has(project)) checkedKeys.push(`${environment} ${project} ${name}`);
      else if (owner !== undefined && this.forbiddenScopeIds.has(environment))
        checkedKeys.push(`${environment} ${owner}`);
      if (owner !== undefined && this.values.get(owner)?.has(environment)) return checkedKeys;
    }
    return checkedKeys;
  }

  private cachedChain(projectId: ProjectId): readonly ProjectId[] {
    const chain = this.chains.get(projectId) ?? projectChain(this.rows.projects, projectId);
    this.chains.set(projectId, chain);
    return chain;
  }

  private cachedLineage(environmentId: EnvironmentId): readonly EnvironmentId[] {
    const environmentIds =
      this.lineages.get(environmentId) ?? (this.nodes.has(environmentId) ? listLineage(this.nodes, environmentId) : []);
    this.lineages.set(environmentId, environmentIds);
    return environmentIds;
  }
}
