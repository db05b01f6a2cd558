import { Injectable } from '@nestjs/common';
import {
  canOnScope,
  closedScopes,
  type EffectiveCell,
  ForbiddenLookups,
  MASK,
  type OrganizationId,
  type Permissions,
  resolver,
  type ScopeId,
  stepKey,
  type ValueId,
} from '@strata/domain';
import { EventLoopYielder } from '../../platform/event-loop-yielder.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { type PointInTime, parametersOf, rowsAt } from '../../platform/postgres/versioned-table.ts';
import { canReadChain, chainOf } from '../snapshot/lookup.ts';
import type { ConfigurationSnapshot, ValueRecord, ViewedParameter } from '../snapshot/snapshot.ts';
import { Snapshots } from '../snapshot/snapshots.ts';
import { Evaluations, NOTHING_EVALUATED } from '../templating/evaluation.ts';
import { type EvaluationInputs, EvaluationInputsReader } from '../templating/evaluation-inputs.ts';
import { stepsLookingUp } from '../templating/ignored-lookups.ts';
import type { Affected, AffectedArea } from './affected-areas.ts';

/** What is looked at on either side; each cell is resolved, and dynamic ones are evaluated. */
const CELLS_MAX = 200_000;

/** Stands for what is no object of the ledger yet. */
const WRITTEN = 'written';

type Snapshot = ConfigurationSnapshot<ViewedParameter, ValueRecord>;

/** What some areas are made of at one point in time, read and not looked at yet. */
export interface RawState {
  readonly organizationId: OrganizationId;
  readonly areas: readonly { readonly area: AffectedArea; readonly snapshot: Snapshot }[];
  /** Null where no text is dynamic. */
  readonly inputs: EvaluationInputs | null;
}

type RawCell = Pick<EffectiveCell, 'project' | 'environment' | 'name' | 'secret'> & {
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

/** Of a state that was the present one a moment ago: as such it is looked at, whatever came after it. */
export function asPresent({ areas, inputs, ...state }: RawState): RawState {
  return {
    ...state,
    areas: areas.map(({ area, snapshot }) => ({ area, snapshot: { ...snapshot, projectsNow: null } })),
    inputs: inputs && { ...inputs, projectsNow: null },
  };
}

/** What areas of configuration read as: read in few statements, and looked at when the rows need not be held any more. */
@Injectable()
export class EffectiveStates {
  constructor(
    private readonly committed: SnapshotReader,
    private readonly snapshots: Snapshots,
    private readonly inputs: EvaluationInputsReader,
    private readonly evaluations: Evaluations,
  ) {}

  /** `reader`: the transaction of a write; its state is the present one. */
  async load(
    organizationId: OrganizationId,
    at: PointInTime,
    { areas }: Pick<Affected, 'areas'>,
    reader?: SnapshotReader,
  ): Promise<RawState> {
    const loaded: { area: AffectedArea; snapshot: Snapshot }[] = [];
    for (const area of areas) {
      const snapshot = await this.snapshots.of(
        {
          organizationId,
          at,
          projectIds: area.names ? [...area.names.keys()] : await this.allProjects(organizationId, at, reader),
          environments: area.environments ? [...area.environments] : undefined,
          names: area.names ? [...new Set([...area.names.values()].flatMap((names) => [...names]))] : undefined,
          parameters: 'effective',
          values: 'complete',
        },
        reader,
      );
      loaded.push({ area, snapshot });
    }
    const sourceIds = loaded.flatMap(({ snapshot }) => snapshot.values.filter(isDynamic).map(({ id }) => id));
    const revision = loaded[0]?.snapshot.head.revision ?? 0;
    const query = { organizationId, revision, isPresent: at === 'now', sourceIds: [...new Set(sourceIds)] };
    return { organizationId, areas: loaded, inputs: sourceIds.length > 0 ? await this.inputs.of(query, reader) : null };
  }

  /** Null where that are too many. Asks no database, so that nobody has to be held up for it. */
  async cells(
    { organizationId, areas, inputs }: RawState,
    permissions: Permissions,
    planned: PlannedState | null = null,
  ): Promise<ReadState | null> {
    const forbidden = new Set(closedScopes(permissions));
    const lookups = new ReadLookups();
    if (inputs && forbidden.size > 0) lookups.texts = new ForbiddenLookups(inputs, forbidden);
    const raw = await rawCells(areas, permissions, forbidden, lookups.locations, planned);
    if (raw === null) return null;
    const wanted = raw.flatMap(({ value, environment }) =>
      value && isDynamic(value) ? [{ sourceId: value.id, environmentId: environment.id }] : [],
    );
    const unseen = new Set<string>();
    const evaluated =
      inputs === null
        ? NOTHING_EVALUATED
        : await this.evaluations.within(inputs, wanted, {
            organizationId,
            permissions,
            evaluate: true,
            mode: 'open',
            written: planned?.written,
            unseen: (steps) => {
              for (const key of stepsLookingUp(steps, unreadLookup(lookups, planned))) unseen.add(key);
              return unseen;
            },
          });
    const cells = raw.map(({ value, ...cell }): EffectiveCell => {
      const text = { sourceId: value?.id ?? '', environmentId: cell.environment.id };
      if (value === null || unseen.has(stepKey(text))) return forbiddenCell(cell);
      const seen = isDynamic(value) ? evaluated.seen(text) : null;
      if (seen) {
        const secret = cell.secret || seen.secret;
        const shown = secret ? MASK : seen.text;
        return {
          ...cell,
          secret,
          text: shown,
          problem: secret ? null : (seen.problem?.message ?? null),
          madeOf: evaluated.madeOf(text),
        };
      }
      const isNull = value.text === null && value.sealed === null;
      const madeOf = planned?.written.has(value.id) ? WRITTEN : value.ledger_id;
      return { ...cell, text: cell.secret && !isNull ? MASK : value.text, problem: null, madeOf };
    });
    return { cells, lookups };
  }

  private async allProjects(
    organizationId: OrganizationId,
    at: PointInTime,
    reader: SnapshotReader = this.committed,
  ): Promise<readonly string[]> {
    const rows = await reader.query<{ id: string }>(
      `select id from ${rowsAt('project', at)} p where $2::bigint is not distinct from $2`,
      parametersOf(organizationId, at),
    );
    return rows.map(({ id }) => id);
  }
}

function isDynamic({ interpolated, text }: Pick<ValueRecord, 'interpolated' | 'text'>): boolean {
  return interpolated && text !== null;
}

/** Of a text whose plan the caller may not know, since it is decided by what they may not read. */
function forbiddenCell(cell: Omit<RawCell, 'value'>): EffectiveCell {
  return { ...cell, text: MASK, problem: null, madeOf: 'forbidden', isForbidden: true };
}

/** Whether a name of a text is decided by a forbidden location that nothing said before was decided by. */
function unreadLookup({ texts }: ReadLookups, planned: PlannedState | null) {
  return (projectId: string, name: string, environmentId: string): boolean => {
    if (texts === null || planned === null) return false;
    const read = new Set(planned.before.lookups.texts?.of(projectId, name, environmentId) ?? []);
    return texts.of(projectId, name, environmentId).some((location) => isUnread(location, read, planned));
  };
}

function isUnread(location: string, read: ReadonlySet<string>, { made }: PlannedState): boolean {
  const [, object = ''] = location.split(' ');
  return !read.has(location) && !made.has(object);
}

/**
 * Each cell once, also where areas overlap. Notes in `locations` which forbidden ones decide them. Of a planned state a cell has no value
 * where a forbidden location decides that did not decide before: whether anything is set there, or nothing, is not for the caller to know.
 */
async function rawCells(
  areas: RawState['areas'],
  permissions: Permissions,
  forbidden: ReadonlySet<ScopeId>,
  locations: Set<string>,
  planned: PlannedState | null,
): Promise<readonly RawCell[] | null> {
  const cells = new Map<string, RawCell>();
  const yielder = new EventLoopYielder();
  const cellsBefore = Map.groupBy(planned?.before.cells ?? [], ({ project, environment }) =>
    [project.id, environment.id].join(' '),
  );
  for (const { area, snapshot } of areas) {
    const lookups = forbidden.size > 0 ? new ForbiddenLookups(snapshot, forbidden) : null;
    const environments = snapshot.environments.filter(
      ({ id }) => (area.environments?.has(id) ?? true) && canOnScope(permissions, 'read', id),
    );
    const parametersOfProject = Map.groupBy(snapshot.parameters, ({ projectId }) => projectId);
    const valuesOf = Map.groupBy(snapshot.values, ({ parameterId }) => parameterId);
    const secretIds = new Set(snapshot.parameters.flatMap(({ id, secret }) => (secret ? [id] : [])));
    const projects = snapshot.projects.filter(
      ({ id }) => (area.names?.has(id) ?? true) && canReadChain(snapshot, id, permissions),
    );
    for (const project of projects) {
      const names = area.names?.get(project.id);
      const projectChain = chainOf(snapshot, project.id);
      const parameters = projectChain
        .flatMap(({ id }) => parametersOfProject.get(id) ?? [])
        .filter(({ name }) => names?.has(name) ?? true);
      const values = parameters.flatMap(({ id }) => valuesOf.get(id) ?? []);
      const { visible, inEnvironment } = resolver({
        environments: snapshot.environments,
        projectChain,
        parameters,
        values,
      });
      for (const environment of environments) {
        const isForbidden = (name: string) => {
          const asked = lookups?.of(project.id, name, environment.id) ?? [];
          for (const location of asked) locations.add(location);
          return planned !== null && asked.some((one) => isUnread(one, planned.before.lookups.locations, planned));
        };
        const shown = new Set<string>();
        for (const [index, value] of inEnvironment(environment.id).entries()) {
          const parameter = visible[index]?.parameter;
          if (!parameter) continue;
          const { name } = parameter;
          shown.add(name);
          const isUnknown = isForbidden(name);
          if (!value && !isUnknown) continue;
          // a value is as secret as the parameter that it is set on, also where it shows through another one's override
          const secret = parameter.secret || (!isUnknown && secretIds.has(value?.parameterId ?? ''));
          const cell = { project, environment, name, secret, value: isUnknown ? null : value };
          cells.set(`${project.id} ${environment.id} ${name}`, cell);
        }
        for (const { name, secret } of cellsBefore.get(`${project.id} ${environment.id}`) ?? []) {
          if (shown.has(name) || !(names?.has(name) ?? true) || !isForbidden(name)) continue;
          cells.set(`${project.id} ${environment.id} ${name}`, { project, environment, name, secret, value: null });
        }
        if (cells.size > CELLS_MAX) return null;
        if (yielder.isOver) await yielder.next();
      }
    }
  }
  return [...cells.values()];
}
