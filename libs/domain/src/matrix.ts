import type { EnvironmentId, ProjectId } from './ids.ts';
import { indexValues, type ValueRow, valueBehind, valuesOfName, valueThatApplies } from './precedence.ts';
import {
  type ParameterRow,
  type ProjectConfiguration,
  type VisibleParameter,
  visibleParameters,
} from './resolution.ts';
import type { ScopeId } from './scope.ts';
import { byId, lineage } from './tree.ts';

/** What can be said of a name in one environment, and asked for; the order is the one in which a cell tells them. */
export const MATRIX_STATES = [
  'own',
  'inherited',
  'missing',
  'null',
  'secret',
  'dynamic',
  'differs',
  'redundant',
] as const;
export type MatrixState = (typeof MATRIX_STATES)[number];

/** The same, and that nothing is told because the environment is closed to who asks. */
export const CELL_STATES = [...MATRIX_STATES, 'closed'] as const;
export type CellState = (typeof CELL_STATES)[number];

/** All names of a project in all environments. */
export interface NameMatrix<P extends ParameterRow, V extends ValueRow> {
  /** One entry for each visible name, in human order. */
  readonly visible: readonly VisibleParameter<P>[];
  /** The value that applies to a name, given by its place in `visible`. */
  at(name: number, environmentId: EnvironmentId): V | null;
  /**
   * What would apply to the name if nothing were set in this environment on the nearest owner; `closed` when that is not for who
   * asks to know.
   */
  withoutOwn(name: number, environmentId: EnvironmentId): V | 'closed' | null;
}

/** Resolves names when they are asked for: a page shows some of them. `isClosed` tells the scopes that who asks may not look into. */
export function matrixOf<P extends ParameterRow, V extends ValueRow>(
  snapshot: ProjectConfiguration<P, V>,
  isClosed: (scope: ScopeId) => boolean,
): NameMatrix<P, V> {
  const visible = visibleParameters(snapshot.projectChain, snapshot.parameters);
  const index = indexValues(snapshot.values);
  const explicit = visible.map(({ owners }) => valuesOfName(owners, index));
  const projectChain = snapshot.projectChain.map(({ id }) => id);
  const nodes = byId(snapshot.environments);
  const lineages = new Map<EnvironmentId, readonly EnvironmentId[]>();

  function lineageOf(environmentId: EnvironmentId): readonly EnvironmentId[] {
    const known = lineages.get(environmentId);
    if (known !== undefined) return known;
    const found = lineage(nodes, environmentId);
    lineages.set(environmentId, found);
    return found;
  }

  return {
    visible,
    at: (name, environmentId) => valueThatApplies(explicit[name] ?? [], lineageOf(environmentId)),
    withoutOwn(name, environmentId) {
      const owners = visible[name]?.owners ?? [];
      const [nearest] = owners;
      if (nearest === undefined) return null;
      return valueBehind({ owners, index, projectChain }, lineageOf(environmentId), nearest.id, isClosed);
    },
  };
}

/** Whether a value is set in this very environment and by the project itself: it can be changed and taken away there. */
export function isOwn(
  value: ValueRow,
  { parameter }: VisibleParameter<ParameterRow>,
  place: { readonly projectId: ProjectId; readonly environmentId: EnvironmentId },
): boolean {
  return (
    value.environmentId === place.environmentId &&
    value.parameterId === parameter.id &&
    parameter.projectId === place.projectId
  );
}

/**
 * A text as far as it can be compared without showing it: an open one by itself, a hidden one (a secret, or a text that cannot be
 * evaluated) by what it is made of. Null: there is no value.
 */
export type ComparableText =
  | { readonly kind: 'open'; readonly text: string | null }
  | { readonly kind: 'hidden'; readonly madeOf: string }
  | null;

/** Hidden texts that are made of different things count as different, whatever they read. */
export function isSameText(left: ComparableText, right: ComparableText): boolean {
  if (left === null || right === null) return left === right;
  if (left.kind === 'open') return right.kind === 'open' && left.text === right.text;
  return right.kind === 'hidden' && left.madeOf === right.madeOf;
}

/** What a cell is judged by. */
export interface CellFacts {
  /** Null: nothing is set here or above. */
  readonly value: { readonly isOwn: boolean; readonly isNull: boolean } | null;
  readonly isSecret: boolean;
  readonly isDynamic: boolean;
  readonly differs: boolean;
  readonly isRedundant: boolean;
}

/** The states of one cell, in the order of `MATRIX_STATES`. */
export function statesOf({ value, isSecret, isDynamic, differs, isRedundant: covers }: CellFacts): MatrixState[] {
  const states: MatrixState[] = [value === null ? 'missing' : value.isOwn ? 'own' : 'inherited'];
  if (value?.isNull) states.push('null');
  if (isSecret) states.push('secret');
  if (isDynamic) states.push('dynamic');
  if (differs) states.push('differs');
  if (covers) states.push('redundant');
  return states;
}
