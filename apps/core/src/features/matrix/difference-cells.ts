import type { DifferenceToSet, MatrixCell } from '@strata/contract';
import { type EnvironmentNode, promotionStep } from '@strata/domain';
import type { ValueRecord } from '../snapshot/snapshot.ts';
import { type MatrixCells, presentName } from './matrix-cells.ts';
import { canSee, type MatrixSide } from './matrix-sides.ts';

/** One side of a comparison, with the compared names and their indexes on that side. */
export interface ComparedSide {
  readonly side: MatrixSide;
  readonly indexes: ReadonlyMap<string, number>;
  readonly cells: MatrixCells;
}

/** The cell of a name in one environment of one side. */
interface CellOfSide {
  readonly cell: MatrixCell;
  readonly value: ValueRecord | null;
}

const MISSING: MatrixCell = { states: ['missing'] };

/** Returns the parameters that the two sides show under a name. */
export function compareName(left: ComparedSide, right: ComparedSide, name: string) {
  const findVisible = ({ side, indexes }: ComparedSide) => {
    const index = indexes.get(name);
    return index === undefined ? null : presentName(side, index);
  };
  return { name, left: findVisible(left), right: findVisible(right) };
}

/** Returns the effective values of both sides, and what to set on the right to make them equal. */
export function compareCell(
  left: ComparedSide,
  right: ComparedSide,
  name: string,
  column: { readonly left: EnvironmentNode | null; readonly right: EnvironmentNode | null } | undefined,
) {
  const [leftCell, rightCell] = [
    readCell(left, name, column?.left ?? null),
    readCell(right, name, column?.right ?? null),
  ];
  const promotion =
    column?.right && right.side.snapshot.at === 'now' && canSee(right.side, column.right.id)
      ? { to_set: promoted(left, leftCell, right, rightCell, { name, environment: column.right }) }
      : {};
  return { left: leftCell.cell, right: rightCell.cell, ...promotion };
}

function readCell(
  { side, indexes, cells }: ComparedSide,
  name: string,
  environment: EnvironmentNode | null,
): CellOfSide {
  const index = indexes.get(name);
  if (index === undefined || environment === null) return { cell: MISSING, value: null };
  return { cell: cells.at(index, environment), value: side.names.at(index, environment.id) };
}

interface PromotionContext {
  readonly name: string;
  readonly environment: EnvironmentNode;
}

function promoted(
  left: ComparedSide,
  source: CellOfSide,
  right: ComparedSide,
  target: CellOfSide,
  { name, environment }: PromotionContext,
): DifferenceToSet {
  const index = right.indexes.get(name);
  const visibleParameter = index === undefined ? undefined : right.side.names.visible[index]?.parameter;
  const ownParameter = visibleParameter?.projectId === right.side.project.id ? visibleParameter : null;
  const withoutOwn = index === undefined ? null : right.side.names.withoutOwn(index, environment.id);
  const { action, reason } = promotionStep(
    {
      states: source.cell.states,
      text: source.value?.text ?? null,
      isSecretSource: source.value !== null && left.cells.isSecretlySet(source.value),
    },
    {
      states: target.cell.states,
      text: target.value?.text ?? null,
      // A new override must have the same secret flag as the parameter that is visible now.
      isSecretParameter: visibleParameter?.secret ?? null,
      withoutOwn: withoutOwn === 'closed' ? 'closed' : withoutOwn === null ? 'nothing' : 'something',
    },
  );
  const { value_id, ledger_id } = target.cell;
  return {
    action,
    ...(action === 'set' && { text: source.value?.text ?? null, interpolated: source.value?.interpolated ?? false }),
    ...(ownParameter && { parameter_id: ownParameter.id }),
    ...(value_id !== undefined && { value_id }),
    ...(ledger_id !== undefined && { ledger_id }),
    ...(reason !== undefined && { reason }),
  };
}
