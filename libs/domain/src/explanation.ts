import type { EnvironmentId, ParameterId, ProjectId } from './ids.ts';
import { effectiveValueOfName, locationsInOrder, type ValueIndex, type ValueRow, valuesOfName } from './precedence.ts';
import type { ParameterRow } from './resolution.ts';

/** `closed` covers both set and unset, because the caller may not know which one a forbidden scope has (ADR 0017). */
export const CANDIDATE_STATES = ['set', 'null', 'unset', 'closed'] as const;
export type CandidateState = (typeof CANDIDATE_STATES)[number];

/** One cell that resolution checks for a value. */
export interface Candidate<V extends ValueRow = ValueRow> {
  readonly environmentId: EnvironmentId;
  readonly projectId: ProjectId;
  /** Null if the project owns no parameter with this name, or if the scope is forbidden. */
  readonly parameterId: ParameterId | null;
  readonly state: CandidateState;
  /** The explicit value; null also in a forbidden scope. */
  readonly value: V | null;
  readonly wins: boolean;
  /**
   * The reason why the value is not effective: a nearer project has a value in the same environment, or a nearer
   * environment has one.
   */
  readonly hiddenBy: 'project' | 'environment' | null;
}

/**
 * Everything that determines the effective value of one name in one environment, and which scopes the caller may read.
 */
export interface ExplanationInputs<P extends ParameterRow, V extends ValueRow> {
  /** The environment, then its parent, and so on to the root. */
  readonly environments: readonly EnvironmentId[];
  /** The project, then the one it depends on, and so on to the top. */
  readonly projects: readonly ProjectId[];
  /** Every owner of the name, nearest first. */
  readonly owners: readonly P[];
  readonly values: ValueIndex<V>;
  readonly isNull: (value: V) => boolean;
  readonly isClosed: (projectId: ProjectId, environmentId: EnvironmentId) => boolean;
}

/** The value that would become effective if the current one were removed. */
export type NextValue<V extends ValueRow> =
  | { readonly state: 'set' | 'null'; readonly value: V }
  | { readonly state: 'unset' | 'closed'; readonly value: null };

/**
 * Yields the cells in the order in which `effectiveValueOfName` checks them. The effective value is included even if its scope is forbidden, because every reader of the
 * configuration sees it.
 */
export function* listCandidates<P extends ParameterRow, V extends ValueRow>(
  inputs: ExplanationInputs<P, V>,
): Generator<Candidate<V>, void> {
  const { environments, projects, owners, values, isNull, isClosed } = inputs;
  const winner = effectiveValueOfName(valuesOfName(owners, values), environments);
  const ownerIn = new Map(owners.map((owner) => [owner.projectId, owner]));
  for (const location of locationsInOrder(environments, projects)) {
    const { environmentId, projectId } = location;
    const owner = ownerIn.get(projectId);
    const value = (owner && values.get(owner.id)?.get(environmentId)) ?? null;
    const wins = value !== null && value === winner;
    if (!wins && isClosed(projectId, environmentId)) {
      yield { ...location, parameterId: null, state: 'closed', value: null, wins, hiddenBy: null };
      continue;
    }
    const state = value === null ? 'unset' : isNull(value) ? 'null' : 'set';
    const isHidden = value !== null && !wins;
    const hiddenBy = !isHidden ? null : winner?.environmentId === environmentId ? 'project' : 'environment';
    yield { ...location, parameterId: owner?.id ?? null, state, value, wins, hiddenBy };
  }
}

/**
 * Returns the value that would become effective if the current one were removed; null if there is no effective value.
 * Returns `closed` if resolution would check a forbidden cell first: the next value would reveal that nothing is set
 * there.
 */
export function nextValue<P extends ParameterRow, V extends ValueRow>(
  inputs: ExplanationInputs<P, V>,
): NextValue<V> | null {
  let isBehindWinner = false;
  for (const { wins, state, value } of listCandidates(inputs)) {
    if (isBehindWinner && state === 'closed') return { state, value: null };
    if (isBehindWinner && value !== null && (state === 'set' || state === 'null')) return { state, value };
    isBehindWinner ||= wins;
  }
  return isBehindWinner ? { state: 'unset', value: null } : null;
}

/** The fields of a ledger entry that determine whether it caused a cell to change. */
export interface CauseCandidate {
  readonly ordinal: number;
  readonly action: 'create' | 'update' | 'delete';
  readonly objectType: string;
  readonly objectId: string;
}

/** The inputs of a cell before and after a revision. */
interface CauseContext {
  /** The effective values before and after. */
  readonly winners: ReadonlySet<string>;
  /** The ids of what the cell itself depends on: the owners of its name, its environments and its projects. */
  readonly inputIds: ReadonlySet<string>;
}

/**
 * Returns the change of a revision that caused a cell to change, or null if none did. Deletions of parameters,
 * environments and projects rank first, because they also remove values. The effective value ranks next, then the other
 * inputs of the cell, then references.
 */
export function findCause<Change extends CauseCandidate>(
  changes: readonly Change[],
  { winners, inputIds }: CauseContext,
): Change | null {
  const rank = ({ action, objectType, objectId }: Change): number => {
    const isOwn = inputIds.has(objectId);
    if (isOwn && action === 'delete' && objectType !== 'Value') return 0;
    if (winners.has(objectId)) return 1;
    return isOwn ? 2 : 3;
  };
  let first: { readonly change: Change; readonly rank: number } | null = null;
  for (const change of changes) {
    const candidate = { change, rank: rank(change) };
    const order = first ? candidate.rank - first.rank || change.ordinal - first.change.ordinal : -1;
    if (order < 0) first = candidate;
  }
  return first?.change ?? null;
}
