import type { MatrixRow } from '../../data/cell.ts';
import type { SecretLocation } from '../../data/explanation.ts';
import type { ListedProject } from '../../lib/project-forest.ts';
import type { ColumnOfGrid, GridPosition } from './grid-types.ts';
import type { CellActions, DraftTarget } from './use-cell-actions.ts';
import type { MatrixRead } from './use-matrix.ts';

/** The content of the grid. */
export interface GridData {
  readonly project: ListedProject;
  readonly matrix: MatrixRead;
  readonly columns: readonly ColumnOfGrid[];
  /** The widths of columns in pixels by the name of the environment, for columns with a width of their own. */
  readonly widths: ReadonlyMap<string, number>;
  readonly drafting: CellActions;
  /** Returns whether a value has just changed. */
  readonly isFresh: (line: MatrixRow, column: ColumnOfGrid) => boolean;
  /** Returns the location of a secret, with which it can be revealed. */
  readonly revealOf: (line: MatrixRow, column: ColumnOfGrid) => SecretLocation;
}

/** Returns a cell as the target of an edit; null on the line of a group, and until its row is loaded. */
export function findTarget(
  { matrix, columns }: GridData,
  { row, column: at, onGroup }: GridPosition,
): DraftTarget | null {
  const [line, column] = [onGroup ? undefined : matrix.rowAt(row), columns[at]];
  return line && column ? { line, column, revision: matrix.revisionAt(row) } : null;
}
