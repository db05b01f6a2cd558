import { Injectable } from '@nestjs/common';
import {
  type EffectiveCell,
  ForbiddenLookups,
  forbiddenScopes,
  MASK,
  type OrganizationId,
  type Permissions,
  stepKey,
} from '@strata/domain';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { type PointInTime, rowsAt, versionParameters } from '../../platform/postgres/versioned-table.ts';
import type { ValueRecord } from '../snapshot/snapshot.ts';
import { Snapshots } from '../snapshot/snapshots.ts';
import { NOTHING_EVALUATED, TextEvaluator } from '../templating/evaluation.ts';
import { type EvaluationInputs, EvaluationInputsReader } from '../templating/evaluation-inputs.ts';
import { findStepsLookingUp } from '../templating/ignored-lookups.ts';
import { secretVersion } from '../templating/input-digests.ts';
import type { AffectedByPlan } from './affected-areas.ts';
import {
  isUnread,
  type PlannedState,
  type RawAreas,
  type RawCell,
  ReadLookups,
  type ReadState,
  resolveRawCells,
} from './raw-cells.ts';

/** The rows of some areas at one point in time, with unresolved cells. */
export interface RawState {
  readonly organizationId: OrganizationId;
  readonly areas: RawAreas;
  /** Null if no text is dynamic. */
  readonly inputs: EvaluationInputs | null;
}

/**
 * Returns a past state as if it were the present, so that later changes of projects do not affect how references
 * resolve.
 */
export function toCurrentState({ areas, inputs, ...state }: RawState): RawState {
  return {
    ...state,
    areas: areas.map(({ area, snapshot }) => ({ area, snapshot: { ...snapshot, projectsNow: null } })),
    inputs: inputs && { ...inputs, projectsNow: null },
  };
}

/**
 * Loads areas of the configuration with few statements. Their cells are resolved later in memory, when the write no
 * longer holds locks.
 */
@Injectable()
export class EffectiveStates {
  constructor(
    private readonly snapshotReader: SnapshotReader,
    private readonly snapshots: Snapshots,
    private readonly inputs: EvaluationInputsReader,
    private readonly evaluations: TextEvaluator,
  ) {}

  /** Loads the areas. Pass `reader` to read inside the transaction of a write. */
  async load(
    organizationId: OrganizationId,
    at: PointInTime,
    { areas }: Pick<AffectedByPlan, 'areas'>,
    reader?: SnapshotReader,
  ): Promise<RawState> {
    const loadedAreas: RawAreas[number][] = [];
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
      loadedAreas.push({ area, snapshot });
    }
    const sourceIds = loadedAreas.flatMap(({ snapshot }) => snapshot.values.filter(isDynamic).map(({ id }) => id));
    const revision = loadedAreas[0]?.snapshot.head.revision ?? 0;
    const query = { organizationId, revision, isPresent: at === 'now', sourceIds: [...new Set(sourceIds)] };
    return {
      organizationId,
      areas: loadedAreas,
      inputs: sourceIds.length > 0 ? await this.inputs.of(query, reader) : null,
    };
  }

  /**
   * Resolves and evaluates the cells; returns null if there are too many. Uses no database, so that other writers do
   * not have to wait.
   */
  async cells(
    { organizationId, areas, inputs }: RawState,
    permissions: Permissions,
    plannedState: PlannedState | null = null,
  ): Promise<ReadState | null> {
    const forbiddenScopeIds = new Set(forbiddenScopes(permissions));
    const lookups = new ReadLookups();
    if (inputs && forbiddenScopeIds.size > 0) lookups.texts = new ForbiddenLookups(inputs, forbiddenScopeIds);
    const raw = await resolveRawCells(areas, permissions, lookups, plannedState);
    if (raw === null) return null;
    const dynamicTexts = raw.flatMap(({ value, environment }) =>
      value && isDynamic(value) ? [{ sourceId: value.id, environmentId: environment.id }] : [],
    );
    const unseenTexts = new Set<string>();
    const evaluationResults =
      inputs === null
        ? NOTHING_EVALUATED
        : await this.evaluations.within(inputs, dynamicTexts, {
            organizationId,
            permissions,
            evaluate: true,
            mode: 'open',
            written: plannedState?.written,
            skippedSteps: (steps) => {
              for (const key of findStepsLookingUp(steps, unreadLookup(lookups, plannedState))) unseenTexts.add(key);
              return unseenTexts;
            },
          });
    const cells = raw.map(({ value, ...cell }): EffectiveCell => {
      const text = { sourceId: value?.id ?? '', environmentId: cell.environment.id };
      if (value === null || unseenTexts.has(stepKey(text))) return forbiddenCell(cell);
      const evaluatedText = isDynamic(value) ? evaluationResults.evaluatedText(text) : null;
      if (evaluatedText) {
        const secret = cell.secret || evaluatedText.secret;
        const shownText = secret ? MASK : evaluatedText.text;
        return {
          ...cell,
          secret,
          text: shownText,
          problem: secret ? null : (evaluatedText.problem?.message ?? null),
          madeOf: evaluationResults.inputDigest(text),
        };
      }
      const isNull = value.text === null && value.sealed === null;
      const shownValue = cell.secret && !isNull ? MASK : value.text;
      return { ...cell, text: shownValue, problem: null, madeOf: secretVersion(value, plannedState?.written) };
    });
    return { cells, lookups };
  }

  private async allProjects(
    organizationId: OrganizationId,
    at: PointInTime,
    reader: SnapshotReader = this.snapshotReader,
  ): Promise<readonly string[]> {
    const rows = await reader.query<{ id: string }>(
      `select id from ${rowsAt('project', at)} project where $2::bigint is not distinct from $2`,
      versionParameters(organizationId, at),
    );
    return rows.map(({ id }) => id);
  }
}

function isDynamic({ interpolated, text }: Pick<ValueRecord, 'interpolated' | 'text'>): boolean {
  return interpolated && text !== null;
}

/** Returns a cell without its text. It depends on values that the caller may not read. */
function forbiddenCell(cell: Omit<RawCell, 'value'>): EffectiveCell {
  return { ...cell, text: MASK, problem: null, madeOf: 'forbidden', isForbidden: true };
}

/**
 * Returns a function that checks a reference of a text: whether it depends on a forbidden location that no cell
 * depended on before the plan.
 */
function unreadLookup({ texts }: ReadLookups, plannedState: PlannedState | null) {
  return (projectId: string, name: string, environmentId: string): boolean => {
    if (texts === null || plannedState === null) return false;
    const read = new Set(plannedState.before.lookups.texts?.of(projectId, name, environmentId) ?? []);
    return texts.of(projectId, name, environmentId).some((location) => isUnread(location, read, plannedState));
  };
}
