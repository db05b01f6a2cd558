import type { EnvironmentId, ParameterId, ProjectId } from './ids.ts';
import { type ValueIndex, type ValueRow, valuesOfName, valueThatApplies } from './precedence.ts';
import type { ParameterRow } from './resolution.ts';

/** `closed` stands for set and unset alike: what lies in a closed scope is not told (ADR 0017). */
export const CANDIDATE_STATES = ['set', 'null', 'unset', 'closed'] as const;
export type CandidateState = (typeof CANDIDATE_STATES)[number];

/** One place that is asked for a value. */
export interface Candidate<V extends ValueRow = ValueRow> {
  readonly environmentId: EnvironmentId;
  readonly projectId: ProjectId;
  /** Null when the project owns no parameter of the name, or is not looked into. */
  readonly parameterId: ParameterId | null;
  readonly state: CandidateState;
  /** What is set there; null in a closed scope, too. */
  readonly value: V | null;
  readonly wins: boolean;
  /** What lies over it: a nearer project's value in the same environment, or a value in a nearer environment. */
  readonly hiddenBy: 'project' | 'environment' | null;
}

/** Everything that decides about one name in one environment, and what of it who asks may look into. */
export interface ExplanationInputs<P extends ParameterRow, V extends ValueRow> {
  /** The environment, its parent, and so on to the root. */
  readonly environments: readonly EnvironmentId[];
  /** The project, then the one it depends on, and so on to the top. */
  readonly projects: readonly ProjectId[];
  /** Every owner of the name, nearest first. */
  readonly owners: readonly P[];
  readonly values: ValueIndex<V>;
  readonly isNull: (value: V) => boolean;
  readonly isClosed: (projectId: ProjectId, environmentId: EnvironmentId) => boolean;
}

/** What would apply if the value that applies were removed. */
export type NextValue<V extends ValueRow> =
  | { readonly state: 'set' | 'null'; readonly value: V }
  | { readonly state: 'unset' | 'closed'; readonly value: null };

/**
 * The places that are asked for a value, in the order in which `valueThatApplies` asks them: environments outside, projects
 * inside. The winner is told as it is, also from a closed scope: whoever reads the configuration sees it.
 */
export function* candidatesOf<P extends ParameterRow, V extends ValueRow>(
  inputs: ExplanationInputs<P, V>,
): Generator<Candidate<V>, void> {
  const { environments, projects, owners, values, isNull, isClosed } = inputs;
  const winner = valueThatApplies(valuesOfName(owners, values), environments);
  const ownerIn = new Map(owners.map((owner) => [owner.projectId, owner]));
  for (const environmentId of environments) {
    for (const projectId of projects) {
      const owner = ownerIn.get(projectId);
      const value = (owner && values.get(owner.id)?.get(environmentId)) ?? null;
      const wins = value !== null && value === winner;
      const place = { environmentId, projectId };
      if (!wins && isClosed(projectId, environmentId)) {
        yield { ...place, parameterId: null, state: 'closed', value: null, wins, hiddenBy: null };
        continue;
      }
      const state = value === null ? 'unset' : isNull(value) ? 'null' : 'set';
      const isHidden = value !== null && !wins;
      const hiddenBy = !isHidden ? null : winner?.environmentId === environmentId ? 'project' : 'environment';
      yield { ...place, parameterId: owner?.id ?? null, state, value, wins, hiddenBy };
    }
  }
}

/**
 * What would apply if the winner were removed; null when nothing applies as it is. It is `closed` as soon as a closed place would
 * be asked before the answer is found: telling what lies behind it would tell that nothing is set there.
 */
export function nextValue<P extends ParameterRow, V extends ValueRow>(
  inputs: ExplanationInputs<P, V>,
): NextValue<V> | null {
  let isBehindWinner = false;
  for (const { wins, state, value } of candidatesOf(inputs)) {
    if (isBehindWinner && state === 'closed') return { state, value: null };
    if (isBehindWinner && value !== null && (state === 'set' || state === 'null')) return { state, value };
    isBehindWinner ||= wins;
  }
  return isBehindWinner ? { state: 'unset', value: null } : null;
}

/** A change of the ledger, as far as it may be what made something look otherwise. */
export interface CauseCandidate {
  readonly ordinal: number;
  readonly action: 'create' | 'update' | 'delete';
  readonly objectType: string;
  readonly objectId: string;
}

/** What a cell was made of before and after a revision. */
export interface CauseContext {
  /** The values that applied before and after. */
  readonly winners: ReadonlySet<string>;
  /** What decides about the cell itself: owners of the name, its environments and projects, by id. */
  readonly own: ReadonlySet<string>;
}

/**
 * Which of the changes of one revision made a cell look otherwise. What removed other things with it comes before these; the value that applies comes before what decides about it, and
 * that before what is only referred to. Null when none of them did.
 */
export function causeAmong<Change extends CauseCandidate>(
  changes: readonly Change[],
  { winners, own }: CauseContext,
): Change | null {
  const rank = ({ action, objectType, objectId }: Change): number => {
    const isOwn = own.has(objectId);
    if (isOwn && action === 'delete' && objectType !== 'Value') return 0;
    if (winners.has(objectId)) return 1;
    return isOwn ? 2 : 3;
  };
  let first: { readonly change: Change; readonly rank: number } | null = null;
  for (const change of changes) {
    const found = { change, rank: rank(change) };
    const order = first ? found.rank - first.rank || change.ordinal - first.change.ordinal : -1;
    if (order < 0) first = found;
  }
  return first?.change ?? null;
}
