import type { EnvironmentId, ParameterId, ProjectId } from './ids.ts';
import { indexValues, type ValueIndex, type ValueRow } from './precedence.ts';
import { type ProjectLink, projectChain } from './reference.ts';
import type { EnvironmentNode, ParameterRow } from './resolution.ts';
import type { ScopeId } from './scope.ts';
import { byId, lineage } from './tree.ts';

/** What names are resolved from. */
export interface LookupRows {
  readonly environments: readonly EnvironmentNode[];
  readonly projects: readonly ProjectLink[];
  readonly parameters: readonly ParameterRow[];
  readonly values: readonly ValueRow[];
}

/**
 * Which forbidden locations decide what a name reads as. Whether a value is set there must not show, so the answer is the same for set
 * and unset as long as the caller cannot read what is inherited from there.
 */
export class ForbiddenLookups {
  private readonly owners: ReadonlyMap<ProjectId, ReadonlyMap<string, ParameterId>>;
  private readonly values: ValueIndex<ValueRow>;
  private readonly nodes: ReadonlyMap<string, EnvironmentNode>;
  private readonly chains = new Map<ProjectId, readonly ProjectId[]>();
  private readonly lineages = new Map<EnvironmentId, readonly EnvironmentId[]>();

  constructor(
    private readonly rows: LookupRows,
    private readonly forbidden: ReadonlySet<ScopeId>,
  ) {
    const byProject = Map.groupBy(rows.parameters, ({ projectId }) => projectId);
    this.owners = new Map([...byProject].map(([id, of]) => [id, new Map(of.map((one) => [one.name, one.id]))]));
    this.values = indexValues(rows.values);
    this.nodes = byId(rows.environments);
  }

  /**
   * The forbidden locations that are asked before a value is found, in the order of `valueThatApplies`; the location of that value is
   * one of them. A forbidden project counts whether or not it has a parameter of this name. None for an environment that is not there.
   */
  of(projectId: ProjectId, name: string, environmentId: EnvironmentId): readonly string[] {
    const asked: string[] = [];
    for (const environment of this.lineageOf(environmentId)) {
      for (const project of this.chainOf(projectId)) {
        const owner = this.owners.get(project)?.get(name);
        if (this.forbidden.has(project)) asked.push(`${environment} ${project} ${name}`);
        else if (owner !== undefined && this.forbidden.has(environment)) asked.push(`${environment} ${owner}`);
        if (owner !== undefined && this.values.get(owner)?.has(environment)) return asked;
      }
    }
    return asked;
  }

  private chainOf(projectId: ProjectId): readonly ProjectId[] {
    const chain = this.chains.get(projectId) ?? projectChain(this.rows.projects, projectId);
    this.chains.set(projectId, chain);
    return chain;
  }

  private lineageOf(environmentId: EnvironmentId): readonly EnvironmentId[] {
    const known =
      this.lineages.get(environmentId) ?? (this.nodes.has(environmentId) ? lineage(this.nodes, environmentId) : []);
    this.lineages.set(environmentId, known);
    return known;
  }
}
