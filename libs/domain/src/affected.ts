import type { Named } from './event.ts';
import type { EnvironmentId, ParameterId, ProjectId, Uuid } from './ids.ts';
import type { ObjectType } from './object-type.ts';

/** A change, as far as it matters to what programs read. */
export interface AffectingChange {
  readonly objectType: ObjectType;
  readonly object: Pick<Named, 'id'>;
  readonly environment?: Pick<Named, 'id'> | null | undefined;
  readonly parameter?: Pick<Named, 'id'> | null | undefined;
}

/** Where changes may show: whatever lies elsewhere reads as before. What says any of it must be found in addition. */
export interface AffectedPlaces {
  /** All names of all projects, in these environments and below. */
  readonly environments: ReadonlySet<EnvironmentId>;
  /** All names of these projects and of those that depend on them, everywhere. */
  readonly projects: ReadonlySet<ProjectId>;
  /** The names of these parameters, everywhere. */
  readonly parameters: ReadonlySet<ParameterId>;
  /** What says these templates, everywhere. */
  readonly templates: ReadonlySet<Uuid>;
  /** The names of parameters, in an environment and below. */
  readonly values: readonly { readonly parameterId: ParameterId; readonly environmentId: EnvironmentId }[];
}

/** What types, rules, grants, groups, tags and webhooks are is no matter to what programs read. */
export function affectedPlaces(changes: readonly AffectingChange[]): AffectedPlaces {
  const of = (type: ObjectType) =>
    new Set(changes.flatMap(({ objectType, object }) => (objectType === type ? [object.id] : [])));
  const values = changes.flatMap(({ objectType, parameter, environment }) =>
    objectType === 'Value' && parameter && environment
      ? [{ parameterId: parameter.id, environmentId: environment.id }]
      : [],
  );
  return {
    environments: of('Environment'),
    projects: of('Project'),
    parameters: of('Parameter'),
    templates: of('Template'),
    values,
  };
}
