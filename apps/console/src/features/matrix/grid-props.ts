import type { ReactNode, Ref } from 'react';
import type { MatrixRow } from '../../data/cell.ts';
import type { SecretLocation } from '../../data/explanation.ts';
import type { Draft, DraftEdit } from '../../lib/draft.ts';
import type { ColumnActions } from './column-actions.ts';
import type { ColumnOfGrid, GridPosition } from './grid-types.ts';
import type { GroupActions } from './group-actions.ts';
import type { CellMarks, DraftTarget } from './use-cell-actions.ts';
import type { MatrixRead } from './use-matrix.ts';
import type { RangeActions } from './use-range-actions.ts';
import type { CellSelection } from './use-selection.ts';

export interface GridProps {
  readonly label: string;
  readonly projectId: string;
  /** The names of the projects that own the inherited rows. */
  readonly others: string;
  readonly columns: readonly ColumnOfGrid[];
  /** The widths of columns in pixels by the name of the environment, for columns with a width of their own. */
  readonly widths: ReadonlyMap<string, number>;
  readonly columnActions: ColumnActions;
  readonly matrix: MatrixRead;
  readonly active: GridPosition;
  /** The cell below the pointer; null if the keyboard has moved since. */
  readonly hovered: GridPosition | null;
  readonly draftOf: (line: MatrixRow, column: ColumnOfGrid) => Draft | undefined;
  readonly marksOf: (line: MatrixRow, column: ColumnOfGrid) => CellMarks;
  /** Returns whether a value has just changed. */
  readonly isFresh: (line: MatrixRow, column: ColumnOfGrid) => boolean;
  /** Returns the location of a secret, with which it can be revealed. */
  readonly revealOf: (line: MatrixRow, column: ColumnOfGrid) => SecretLocation;
  /** Returns the reason why a cell is read-only; null if it is not. */
  readonly whyNot: (line: MatrixRow, column: ColumnOfGrid) => string | null;
  readonly selection: CellSelection;
  /** The actions on some cells. */
  readonly actions: RangeActions;
  readonly groups: GroupActions;
  onMove(place: GridPosition): void;
  /** Called with the cell below the pointer; null if there is none. */
  onPoint(place: GridPosition | null): void;
  onStage(target: DraftTarget, edit: DraftEdit): void;
  /** Whether the explanation panel is open. */
  readonly isExplaining: boolean;
  onExplain(): void;
  /** Closes the explanation panel. */
  onClose(): void;
  onUndo(): void;
  onRedo(): void;
  onRefuse(words: string): void;
  /** Called when other rows become visible. */
  onVisibleRows(first: number, last: number): void;
  /** The rows between the head and the parameters; false if there are none. */
  readonly lead: ReactNode;
  /** Whether a floating bar covers the last lines. */
  readonly hasFoot: boolean;
  readonly handle: Ref<GridHandle>;
}

/** The methods of the grid that other components call. */
export interface GridHandle {
  focus(): void;
  edit(): void;
  /** Opens the menu of the selected rows. */
  openMenu(at: { readonly x: number; readonly y: number }): void;
}
