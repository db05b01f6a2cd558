import type { NamedObject } from './event.ts';
import type { EnvironmentId, ParameterId, ProjectId, Revision, Uuid } from './ids.ts';
import type { ObjectType } from './object-type.ts';

/** The fields of a change that determine which effective values it can affect. */
export interface AffectingChange {
  readonly objectType: ObjectType;
  readonly object: Pick<NamedObject, 'id'>;
  readonly environment?: Pick<NamedObject, 'id'> | null | undefined;
  readonly parameter?: Pick<NamedObject, 'id'> | null | undefined;
}

/**
 * The scopes and parameters whose effective values may change. The caller must also resolve the texts that refer to
 * them.
 */
export interface AffectedScopes {
  /** All names of all projects, in these environments and their descendants. */
  readonly environments: ReadonlySet<EnvironmentId>;
  /** All names of these projects and of the projects that depend on them, in every environment. */
  readonly projects: ReadonlySet<ProjectId>;
  /** The names of these parameters, in every project and environment. */
  readonly parameters: ReadonlySet<ParameterId>;
  /** Every text that refers to these templates, in every environment. */
  readonly templates: ReadonlySet<Uuid>;
  /** The name of each parameter, in its environment and that environment's descendants. */
  readonly values: readonly { readonly parameterId: ParameterId; readonly environmentId: EnvironmentId }[];
}

/**
 * Returns what some changes may affect. Ignores changes of types, rules, grants, groups, tags and webhooks, which do
 * not change effective values.
 */
export function affectedScopes(changes: readonly AffectingChange[]): AffectedScopes {
  const collectIds = (type: ObjectType) =>
    new Set(changes.flatMap(({ objectType, object }) => (objectType === type ? [object.id] : [])));
  const values = changes.flatMap(({ objectType, parameter, environment }) =>
    objectType === 'Value' && parameter && environment
      ? [{ parameterId: parameter.id, environmentId: environment.id }]
      : [],
  );
  return {
    environments: collectIds('Environment'),
    projects: collectIds('Project'),
    parameters: collectIds('Parameter'),
    templates: collectIds('Template'),
    values,
  };
}

/**
 * The project and the environment of a change. Without an environment, the change may affect all of them; without a
 * project, all projects too.
 */
type ChangedScope = readonly [projectId: ProjectId | null, environmentId: EnvironmentId | null];

/** The scopes in which one revision changed something that evaluated values depend on. */
export interface ChangedScopes {
  readonly revision: Revision;
  readonly scopes: readonly ChangedScope[];
}

/** The scopes whose changes can affect one effective configuration. */
export interface DependencyScopes {
  readonly projects: ReadonlySet<ProjectId>;
  /** The environment and those above it. */
  readonly environments: ReadonlySet<EnvironmentId>;
}

/** Returns whether changes may affect a configuration. Null means that its dependencies are unknown. */
export function mayAffect({ scopes }: ChangedScopes, dependencies: DependencyScopes | null): boolean {
  if (dependencies === null) return true;
  const { projects, environments } = dependencies;
  return scopes.some(
    ([projectId, environmentId]) =>
      (projectId === null || projects.has(projectId)) && (environmentId === null || environments.has(environmentId)),
  );
}
