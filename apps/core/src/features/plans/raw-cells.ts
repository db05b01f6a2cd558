import {
  canOnScope,
  createResolver,
  type EffectiveCell,
  type EnvironmentNode,
  ForbiddenLookups,
  forbiddenScopes,
  type Permissions,
  type ProjectLink,
  type ValueId,
} from '@strata/domain';
import { EventLoopYielder } from '../../platform/event-loop-yielder.ts';
import { canReadChain, findProjectChain } from '../snapshot/lookup.ts';
import type { ConfigurationSnapshot, ValueRecord, ViewedParameter } from '../snapshot/snapshot.ts';
import type { AffectedArea } from './affected-areas.ts';

/** The maximum number of cells per state, because each cell is resolved, and dynamic ones are evaluated. */
const CELLS_MAX = 200_000;

type Snapshot = ConfigurationSnapshot<ViewedParameter, ValueRecord>;

/** The rows of areas, with unresolved cells. */
export type RawAreas = readonly { readonly area: AffectedArea; readonly snapshot: Snapshot }[];

export type RawCell = Pick<EffectiveCell, 'project' | 'environment' | 'name' | 'secret'> & {
  /** Null if the value may depend on a forbidden location. */
  readonly value: ValueRecord | null;
};

/** The cells of a state that the caller may read, and the forbidden locations that they depend on. */
export interface ReadState {
  readonly cells: readonly EffectiveCell[];
  readonly lookups: ReadLookups;
}

/**
 * The forbidden locations that the effective values of a state depend on. A caller who reads these values can infer
 * what is set in the locations.
 */
export class ReadLookups {
  readonly locations = new Set<string>();
  /** The locations that the dynamic values depend on. */
  texts: ForbiddenLookups | null = null;
}

export interface PlannedState {
  readonly before: ReadState;
  /** The values that the steps write, even if their text stays the same. */
  readonly written: ReadonlySet<ValueId>;
  /** The ids of objects that the plan creates. A forbidden location cannot contain values for them. */
  readonly createdIds: ReadonlySet<string>;
}

/** Returns whether the cells that the caller could read before the plan did not depend on a forbidden location. */
export function isUnread(location: string, read: ReadonlySet<string>, { createdIds }: PlannedState): boolean {
  const [, object = ''] = location.split(' ');
  return !read.has(location) && !createdIds.has(object);
}

/**
 * Returns the cells of all areas, each only once, or null if there are too many. Adds the forbidden locations that the
 * cells depend on to `lookups`. In a planned state, a cell has no value if it depends on a forbidden location that no
 * cell depended on before: the caller must not find out whether anything is set there.
 */
export async function resolveRawCells(
  areas: RawAreas,
  permissions: Permissions,
  { locations }: ReadLookups,
  plannedState: PlannedState | null,
): Promise<readonly RawCell[] | null> {
  const cells = new Map<string, RawCell>();
  const yielder = new EventLoopYielder();
  const forbiddenScopeIds = new Set(forbiddenScopes(permissions));
  const plannedCells = Map.groupBy(plannedState?.before.cells ?? [], cellKey);
  for (const { area, snapshot } of areas) {
    const lookups = forbiddenScopeIds.size > 0 ? new ForbiddenLookups(snapshot, forbiddenScopeIds) : null;
    const isUnknown = (project: string, name: string, environment: string) => {
      const decisive = lookups?.of(project, name, environment) ?? [];
      for (const location of decisive) locations.add(location);
      return (
        plannedState !== null &&
        decisive.some((lookup) => isUnread(lookup, plannedState.before.lookups.locations, plannedState))
      );
    };
    const readableArea = new Area(area, snapshot, permissions);
    for (const project of readableArea.projects) {
      const cellsIn = readableArea.of(project, isUnknown);
      for (const environment of readableArea.environments) {
        const before = plannedCells.get(cellKey({ project, environment })) ?? [];
        for (const cell of cellsIn(environment, before)) {
          cells.set(`${project.id} ${environment.id} ${cell.name}`, cell);
        }
        if (cells.size > CELLS_MAX) return null;
        if (yielder.isDue) await yielder.yield();
      }
    }
  }
  return [...cells.values()];
}

const cellKey = ({ project, environment }: Pick<EffectiveCell, 'project' | 'environment'>) =>
  `${project.id} ${environment.id}`;

/** The part of an area that the caller may read. */
class Area {
  readonly environments: readonly EnvironmentNode[];
  readonly projects: readonly ProjectLink[];
  private readonly parametersOfProject: ReadonlyMap<string, readonly ViewedParameter[]>;
  private readonly valuesOf: ReadonlyMap<string, readonly ValueRecord[]>;
  private readonly secretIds: ReadonlySet<string>;

  constructor(
    private readonly area: AffectedArea,
    private readonly snapshot: Snapshot,
    permissions: Permissions,
  ) {
    this.environments = snapshot.environments.filter(
      ({ id }) => (area.environments?.has(id) ?? true) && canOnScope(permissions, 'read', id),
    );
    this.projects = snapshot.projects.filter(
      ({ id }) => (area.names?.has(id) ?? true) && canReadChain(snapshot, id, permissions),
    );
    this.parametersOfProject = Map.groupBy(snapshot.parameters, ({ projectId }) => projectId);
    this.valuesOf = Map.groupBy(snapshot.values, ({ parameterId }) => parameterId);
    this.secretIds = new Set(snapshot.parameters.flatMap(({ id, secret }) => (secret ? [id] : [])));
  }

  /**
   * Returns a function that returns the cells of a project in one environment. It includes the cells from `before` if
   * they now depend on a forbidden location.
   */
  of(project: ProjectLink, isUnknown: (project: string, name: string, environment: string) => boolean) {
    const names = this.area.names?.get(project.id);
    const projectChain = findProjectChain(this.snapshot, project.id);
    const parameters = projectChain
      .flatMap(({ id }) => this.parametersOfProject.get(id) ?? [])
      .filter(({ name }) => names?.has(name) ?? true);
    const values = parameters.flatMap(({ id }) => this.valuesOf.get(id) ?? []);
    const { environments } = this.snapshot;
    const { visible, inEnvironment } = createResolver({ environments, projectChain, parameters, values });
    const visibleNames = new Set(visible.map(({ parameter }) => parameter.name));
    const secretIds = this.secretIds;
    return function* (environment: EnvironmentNode, before: readonly EffectiveCell[]): Generator<RawCell, void> {
      for (const [index, value] of inEnvironment(environment.id).entries()) {
        const parameter = visible[index]?.parameter;
        if (!parameter) continue;
        const { name } = parameter;
        if (isUnknown(project.id, name, environment.id)) {
          yield { project, environment, name, secret: parameter.secret, value: null };
        } else if (value) {
          // A value is also secret if the parameter that it was set on is secret, even if another parameter overrides
          // that one.
          const secret = secretIds.has(value.parameterId);
          yield { project, environment, name, secret, value };
        }
      }
      for (const { name, secret } of before) {
        if (visibleNames.has(name) || names?.has(name) === false) continue;
        if (isUnknown(project.id, name, environment.id)) yield { project, environment, name, secret, value: null };
      }
    };
  }
}
