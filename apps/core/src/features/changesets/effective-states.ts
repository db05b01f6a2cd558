import { Injectable } from '@nestjs/common';
import {
  canOnScope,
  type EffectiveCell,
  MASK,
  type OrganizationId,
  type Permissions,
  resolver,
  type ValueId,
} from '@strata/domain';
import { EventLoopYielder } from '../../platform/event-loop-yielder.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { type PointInTime, parametersOf, rowsAt } from '../../platform/postgres/versioned-table.ts';
import { canReadChain, chainOf } from '../snapshot/lookup.ts';
import type { ConfigurationSnapshot, ValueRecord, ViewedParameter } from '../snapshot/snapshot.ts';
import { Snapshots } from '../snapshot/snapshots.ts';
import { type Evaluated, Evaluations, NOTHING_EVALUATED } from '../templating/evaluation.ts';
import { type EvaluationInputs, EvaluationInputsReader } from '../templating/evaluation-inputs.ts';
import { secretVersion } from '../templating/ingredients.ts';
import type { Affected, AffectedArea } from './affected-areas.ts';

/** What is looked at on either side; each cell is resolved, and dynamic ones are evaluated. */
const CELLS_MAX = 200_000;

type Snapshot = ConfigurationSnapshot<ViewedParameter, ValueRecord>;

/** What some areas are made of at one point in time, read and not looked at yet. */
export interface RawState {
  readonly organizationId: OrganizationId;
  readonly areas: readonly { readonly area: AffectedArea; readonly snapshot: Snapshot }[];
  /** Null where no text is dynamic. */
  readonly inputs: EvaluationInputs | null;
}

type RawCell = Pick<EffectiveCell, 'project' | 'environment' | 'name' | 'secret'> & { readonly value: ValueRecord };

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

  /**
   * Null where that are too many. `written`: values that are not what they were, whatever they say. Asks no database, so that
   * nobody has to be held up for it.
   */
  async cells(
    { organizationId, areas, inputs }: RawState,
    permissions: Permissions,
    written: ReadonlySet<ValueId> = new Set(),
  ): Promise<readonly EffectiveCell[] | null> {
    const raw = await rawCells(areas, permissions);
    if (raw === null) return null;
    const evaluated = await this.evaluated(organizationId, inputs, permissions, raw, written);
    return raw.map(({ value, ...cell }): EffectiveCell => {
      const text = { sourceId: value.id, environmentId: cell.environment.id };
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
      const shown = cell.secret && !isNull ? MASK : value.text;
      return { ...cell, text: shown, problem: null, madeOf: secretVersion(value, written) };
    });
  }

  private evaluated(
    organizationId: OrganizationId,
    inputs: EvaluationInputs | null,
    permissions: Permissions,
    cells: readonly RawCell[],
    written: ReadonlySet<ValueId>,
  ): Promise<Evaluated> | Evaluated {
    if (inputs === null) return NOTHING_EVALUATED;
    const wanted = cells.flatMap(({ value, environment }) =>
      isDynamic(value) ? [{ sourceId: value.id, environmentId: environment.id }] : [],
    );
    const question = { organizationId, permissions, evaluate: true, mode: 'open' as const, written };
    return this.evaluations.within(inputs, wanted, question);
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

/** Each cell once, also where areas overlap. */
async function rawCells(areas: RawState['areas'], permissions: Permissions): Promise<readonly RawCell[] | null> {
  const cells = new Map<string, RawCell>();
  const yielder = new EventLoopYielder();
  for (const { area, snapshot } of areas) {
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
        for (const [index, value] of inEnvironment(environment.id).entries()) {
          const parameter = visible[index]?.parameter;
          if (!value || !parameter) continue;
          // a value is as secret as the parameter that it is set on, also where it shows through another one's override
          const secret = secretIds.has(value.parameterId);
          const { name } = parameter;
          cells.set(`${project.id} ${environment.id} ${name}`, { project, environment, name, secret, value });
        }
        if (cells.size > CELLS_MAX) return null;
        if (yielder.isOver) await yielder.next();
      }
    }
  }
  return [...cells.values()];
}
