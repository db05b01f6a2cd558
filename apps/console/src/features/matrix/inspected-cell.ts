import { type CellOrigin, findOrigin, type ShownCell } from '../../data/cell.ts';
import type { CellLocation } from '../../data/explanation.ts';
import type { PointInTimeArgs } from '../../lib/point-in-time.ts';
import { findTarget, type GridData } from './grid-data.ts';
import type { GridPosition } from './grid-types.ts';
import type { CellMarks } from './use-cell-actions.ts';

/** The cell that the status line describes: the one below the pointer, or else the active one. */
export interface InspectedCell {
  readonly location: CellLocation;
  readonly environmentName: string;
  readonly cell: ShownCell;
  readonly origin: CellOrigin;
  readonly marks: CellMarks;
}

/** Returns the details of a cell; null on the line of a group, and until its row is loaded. */
export function inspectCell(
  data: GridData,
  position: GridPosition,
  pointInTime: PointInTimeArgs,
): InspectedCell | null {
  const target = findTarget(data, position);
  const cell = target?.line.cells[position.column];
  if (!cell) return null;
  const { line, column } = target;
  return {
    location: { projectId: data.project.id, environmentId: column.id, name: line.name, pointInTime },
    environmentName: column.name,
    cell,
    origin: findOrigin(cell),
    marks: data.drafting.marksOf(line, column),
  };
}
