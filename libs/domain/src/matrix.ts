import type { EnvironmentId, ProjectId } from './ids.ts';
import { effectiveValueOfName, indexValues, nextEffectiveValue, type ValueRow, valuesOfName } from './precedence.ts';
import {
  type ParameterRow,
  type ProjectConfiguration,
  type VisibleParameter,
  visibleParameters,
} from './resolution.ts';
import type { ScopeId } from './scope.ts';
import { lineages } from './tree.ts';

/** The states of a name in one environment. They are also filters. A cell lists its states in this order. */
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

/** Also includes the state of cells in environments that the caller has no access to. */
export const CELL_STATES = [...MATRIX_STATES, 'closed'] as const;
export type CellState = (typeof CELL_STATES)[number];

/** All names of a project in all environments. */
export interface NameMatrix<P extends ParameterRow, V extends ValueRow> {
  /** One entry per visible name, in human order. */
  readonly visible: readonly VisibleParameter<P>[];
  /** Returns the effective value of the name with this index in `visible`. */
  at(name: number, environmentId: EnvironmentId): V | null;
  /**
   * Returns the value that would be effective if the nearest owner had none in this environment; `closed` if the caller
   * may not know.
   */
  withoutOwn(name: number, environmentId: EnvironmentId): V | 'closed' | null;
}

/**
 * Resolves names lazily, because a page shows only some of them. `isClosed` returns whether a scope is forbidden to the
 * caller.
 */
export function buildMatrix<P extends ParameterRow, V extends ValueRow>(
  snapshot: ProjectConfiguration<P, V>,
  isClosed: (scope: ScopeId) => boolean,
): NameMatrix<P, V> {
  const visibleRows = visibleParameters(snapshot.projectChain, snapshot.parameters);
  const index = indexValues(snapshot.values);
  const explicitValues = visibleRows.map(({ owners }) => valuesOfName(owners, index));
  const projectChain = snapshot.projectChain.map(({ id }) => id);
  const findLineage = lineages(snapshot.environments);

  return {
    visible: visibleRows,
    at: (name, environmentId) => effectiveValueOfName(explicitValues[name] ?? [], findLineage(environmentId)),
    withoutOwn(name, environmentId) {
      const owners = visibleRows[name]?.owners ?? [];
      const [nearestOwner] = owners;
      if (nearestOwner === undefined) return null;
      return nextEffectiveValue({ owners, index, projectChain }, findLineage(environmentId), nearestOwner.id, isClosed);
    },
  };
}

/**
 * Returns whether the project itself sets the value in this environment. Only then can the value be changed and removed
 * there.
 */
export function isSetHere(
  value: ValueRow,
  { parameter }: VisibleParameter<ParameterRow>,
  cell: { readonly projectId: ProjectId; readonly environmentId: EnvironmentId },
): boolean {
  return (
    value.environmentId === cell.environmentId &&
    value.parameterId === parameter.id &&
    parameter.projectId === cell.projectId
  );
}

/**
 * A text in a form that can be compared without revealing it. A visible text is compared as it is; a hidden one (a
 * secret, or a text that cannot be evaluated) by its inputs. Null means that there is no value.
 */
export type ComparableText =
  | { readonly kind: 'open'; readonly text: string | null }
  | { readonly kind: 'hidden'; readonly madeOf: string }
  | null;

/** Hidden texts with different inputs count as different, even if their texts are the same. */
export function isSameText(left: ComparableText, right: ComparableText): boolean {
  if (left === null || right === null) return left === right;
  if (left.kind === 'open') return right.kind === 'open' && left.text === right.text;
  return right.kind === 'hidden' && left.madeOf === right.madeOf;
}

/** The facts that determine the states of a cell. */
export interface CellFacts {
  /** Null if the name has no value in the environment or its ancestors. */
  readonly value: { readonly isOwn: boolean; readonly isNull: boolean } | null;
  readonly isSecret: boolean;
  readonly isDynamic: boolean;
  readonly differs: boolean;
  readonly isRedundant: boolean;
}

/** Returns the states of one cell, in the order of `MATRIX_STATES`. */
export function listCellStates({
  value,
  isSecret,
  isDynamic,
  differs,
  isRedundant: coversParent,
}: CellFacts): MatrixState[] {
  const states: MatrixState[] = [value === null ? 'missing' : value.isOwn ? 'own' : 'inherited'];
  if (value?.isNull) states.push('null');
  if (isSecret) states.push('secret');
  if (isDynamic) states.push('dynamic');
  if (differs) states.push('differs');
  if (coversParent) states.push('redundant');
  return states;
}
