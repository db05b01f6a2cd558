import type { DifferenceToSet, MatrixCell } from '@strata/contract';
import { type EnvironmentNode, promotionStep } from '@strata/domain';
import type { ValueRecord } from '../snapshot/snapshot.ts';
import { type MatrixCells, presentName } from './matrix-cells.ts';
import { canSee, type MatrixSide } from './matrix-sides.ts';

/** One side of a comparison, with its compared names and their positions. */
export interface ComparedSide {
  readonly side: MatrixSide;
  readonly places: ReadonlyMap<string, number>;
  readonly cells: MatrixCells;
}

/** A name in an environment of one side. */
interface CellOfSide {
  readonly cell: MatrixCell;
  readonly value: ValueRecord | null;
}

const MISSING: MatrixCell = { states: ['missing'] };

/** Returns the parameters that both sides show under a name. */
export function compareName(left: ComparedSide, right: ComparedSide, name: string) {
  const shown = ({ side, places }: ComparedSide) => {
    const place = places.get(name);
    return place === undefined ? null : presentName(side, place);
  };
  return { name, left: shown(left), right: shown(right) };
}

/** Returns what is effective on both sides, and what to set on the right. */
export function compareCell(
  left: ComparedSide,
  right: ComparedSide,
  name: string,
  column: { readonly left: EnvironmentNode | null; readonly right: EnvironmentNode | null } | undefined,
) {
  const [one, other] = [cellOf(left, name, column?.left ?? null), cellOf(right, name, column?.right ?? null)];
  const promotion =
    column?.right && right.side.snapshot.at === 'now' && canSee(right.side, column.right.id)
      ? { to_set: promoted(left, one, right, other, { name, environment: column.right }) }
      : {};
  return { left: one.cell, right: other.cell, ...promotion };
}

function cellOf({ side, places, cells }: ComparedSide, name: string, environment: EnvironmentNode | null): CellOfSide {
  const place = places.get(name);
  if (place === undefined || environment === null) return { cell: MISSING, value: null };
  return { cell: cells.at(place, environment), value: side.names.at(place, environment.id) };
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
  const place = right.places.get(name);
  const shown = place === undefined ? undefined : right.side.names.visible[place]?.parameter;
  const ownParameter = shown?.projectId === right.side.project.id ? shown : null;
  const withoutOwn = place === undefined ? null : right.side.names.withoutOwn(place, environment.id);
  const { action, reason } = promotionStep(
    {
      states: source.cell.states,
      text: source.value?.text ?? null,
      isSecretSource: source.value !== null && left.cells.isSecretlySet(source.value),
    },
    {
      states: target.cell.states,
      text: target.value?.text ?? null,
      // A new override must be of the same kind as the shown parameter.
      isSecretParameter: shown?.secret ?? null,
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
