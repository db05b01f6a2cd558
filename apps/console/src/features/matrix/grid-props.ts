import type { ReactNode, Ref } from 'react';
import type { ScreenPoint } from './cell-menu.tsx';
import type { ColumnActions } from './column-actions.ts';
import type { GridData } from './grid-data.ts';
import type { GridDispatch, GridState } from './grid-state.ts';
import type { GridPosition } from './grid-types.ts';
import type { GroupActions } from './group-actions.ts';
import type { RangeActions } from './use-range-actions.tsx';

export interface GridProps {
  readonly state: GridState;
  readonly dispatch: GridDispatch;
  readonly data: GridData;
  /** The actions on some cells. */
  readonly actions: RangeActions;
  readonly columnActions: ColumnActions;
  readonly groups: GroupActions;
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
  /** Moves the focus to a cell. */
  moveTo(position: GridPosition): void;
  /** Opens the editor of a cell; of the active one without a position. */
  edit(position?: GridPosition): void;
  /** Opens the menu of the selected rows. */
  openMenu(at: ScreenPoint): void;
}
