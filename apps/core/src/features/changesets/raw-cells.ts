import {
  canOnScope,
  closedScopes,
  type EffectiveCell,
  type EnvironmentNode,
  ForbiddenLookups,
  type Permissions,
  type ProjectLink,
  resolver,
  type ValueId,
} from '@strata/domain';
import { EventLoopYielder } from '../../platform/event-loop-yielder.ts';
import { canReadChain, chainOf } from '../snapshot/lookup.ts';
import type { ConfigurationSnapshot, ValueRecord, ViewedParameter } from '../snapshot/snapshot.ts';
import type { AffectedArea } from './affected-areas.ts';

/** What is looked at on either side; each cell is resolved, and dynamic ones are evaluated. */
const CELLS_MAX = 200_000;

type Snapshot = ConfigurationSnapshot<ViewedParameter, ValueRecord>;

/** What some areas are made of, read and not looked at yet. */
export type RawAreas = readonly { readonly area: AffectedArea; readonly snapshot: Snapshot }[];

export type RawCell = Pick<EffectiveCell, 'project' | 'environment' | 'name' | 'secret'> & {
  /** Null where a forbidden location may decide: then only that is known. */
  readonly value: ValueRecord | null;
};

/** The cells of a state that the caller may read, and what reading them says about forbidden locations. */
export interface ReadState {
  readonly cells: readonly EffectiveCell[];
  readonly lookups: ReadLookups;
}

/** Forbidden locations that decide what some state reads as: the caller knows from reading it what is set there. */
export class ReadLookups {
  readonly locations = new Set<string>();
  /** Of the texts that dynamic values say. */
  texts: ForbiddenLookups | null = null;
}

/** A state that somebody plans. */
export interface PlannedState {
  readonly before: ReadState;
  /** Values that are not what they were, whatever they say. */
  readonly written: ReadonlySet<ValueId>;
  /** Ids of objects that the plan makes: nothing forbidden is set for those. */
  readonly made: ReadonlySet<string>;
}

/** Whether nothing that could be read before the plan was decided by a forbidden location. */
export function isUnread(location: string, read: ReadonlySet<string>, { made }: PlannedState): boolean {
  const [, object = ''] = location.split(' ');
  return !read.has(location) && !made.has(object);
}

/**
 * Each cell once, also where areas overlap; null where that are too many. Notes in `lookups` which forbidden locations decide them. Of a
 * planned state a cell has no value where a forbidden location decides that did not decide before: whether anything is set there is not
 * for the caller to know.
 */
export async function rawCells(
  areas: RawAreas,
  permissions: Permissions,
  { locations }: ReadLookups,
  planned: PlannedState | null,
): Promise<readonly RawCell[] | null> {
  const cells = new Map<string, RawCell>();
  const yielder = new EventLoopYielder();
  const forbidden = new Set(closedScopes(permissions));
  const known = Map.groupBy(planned?.before.cells ?? [], keyOf);
  for (const { area, snapshot } of areas) {
    const lookups = forbidden.size > 0 ? new ForbiddenLookups(snapshot, forbidden) : null;
    const isUnknown = (project: string, name: string, environment: string) => {
      const asked = lookups?.of(project, name, environment) ?? [];
      for (const location of asked) locations.add(location);
      return planned !== null && asked.some((one) => isUnread(one, planned.before.lookups.locations, planned));
    };
    const readable = new Area(area, snapshot, permissions);
    for (const project of readable.projects) {
      const cellsIn = readable.of(project, isUnknown);
      for (const environment of readable.environments) {
        const before = known.get(keyOf({ project, environment })) ?? [];
        for (const cell of cellsIn(environment, before)) {
          cells.set(`${project.id} ${environment.id} ${cell.name}`, cell);
        }
        if (cells.size > CELLS_MAX) return null;
        if (yielder.isOver) await yielder.next();
      }
    }
  }
  return [...cells.values()];
}

const keyOf = ({ project, environment }: Pick<EffectiveCell, 'project' | 'environment'>) =>
  `${project.id} ${environment.id}`;

/** As much of an area as somebody may read. */
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

  /** The cells of a project in one environment. `before` are those that it had there: they may be decided by a forbidden location now. */
  of(project: ProjectLink, isUnknown: (project: string, name: string, environment: string) => boolean) {
    const names = this.area.names?.get(project.id);
    const projectChain = chainOf(this.snapshot, project.id);
    const parameters = projectChain
      .flatMap(({ id }) => this.parametersOfProject.get(id) ?? [])
      .filter(({ name }) => names?.has(name) ?? true);
    const values = parameters.flatMap(({ id }) => this.valuesOf.get(id) ?? []);
    const { environments } = this.snapshot;
    const { visible, inEnvironment } = resolver({ environments, projectChain, parameters, values });
    const shown = new Set(visible.map(({ parameter }) => parameter.name));
    const secretIds = this.secretIds;
    return function* (environment: EnvironmentNode, before: readonly EffectiveCell[]): Generator<RawCell, void> {
      for (const [index, value] of inEnvironment(environment.id).entries()) {
        const parameter = visible[index]?.parameter;
        if (!parameter) continue;
        const { name } = parameter;
        if (isUnknown(project.id, name, environment.id)) {
          yield { project, environment, name, secret: parameter.secret, value: null };
        } else if (value) {
          // a value is as secret as the parameter that it is set on, also where it shows through another one's override
          const secret = secretIds.has(value.parameterId);
          yield { project, environment, name, secret, value };
        }
      }
      for (const { name, secret } of before) {
        if (shown.has(name) || names?.has(name) === false) continue;
        if (isUnknown(project.id, name, environment.id)) yield { project, environment, name, secret, value: null };
      }
    };
  }
}
