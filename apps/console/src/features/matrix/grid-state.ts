import type { LastCell } from '../../kit/drafts/last-grids.ts';
import { type CellRange, cellCount, describeRange, hasCell, type RowSpan, rangeBetween } from './cell-range.ts';
import type { FocusAfterEdit } from './editor-box.tsx';
import { type CellNames, type ColumnOfGrid, type GridPosition, isSameCell } from './grid-types.ts';
import type { DraftTarget } from './use-cell-actions.ts';
import type { MatrixRead } from './use-matrix.ts';

/** The rows and columns that positions refer to. */
export interface GridRows extends Pick<MatrixRead, 'question' | 'lines' | 'isPending' | 'rowAt' | 'findRow'> {
  readonly columns: readonly ColumnOfGrid[];
}

/** The focus, the selection and the open editor of the grid. A state never changes: each command returns a new one. */
export interface GridState {
  readonly rows: GridRows;
  /** The cell with the focus, or the line of a group. It is always inside the grid. */
  readonly active: GridPosition;
  /** The cell that the user chose. It becomes active again after a filter or a collapsed group has hidden it. */
  readonly chosen: ChosenCell;
  /** The cell that becomes active as soon as the rows are loaded. */
  readonly sought: CellNames | LastCell | null;
  readonly selection: GridSelection | null;
  /** The cell below the pointer; null if the active cell has moved since. */
  readonly hovered: GridPosition | null;
  /** The cell whose explanation is open. A filter may hide it. */
  readonly explained: CellNames | null;
  /** Whether the explanation of the active cell opens as soon as its row is loaded. */
  readonly isExplanationAwaited: boolean;
  readonly editing: GridEditing | null;
  /** Shown until the active cell or the selection changes. */
  readonly message: GridMessage | null;
}

/** A position with the names of its row and column, by which the cell is found again when they move. */
export interface ChosenCell extends GridPosition {
  /** The name of the parameter; undefined until its row is loaded. */
  readonly name: string | undefined;
  readonly environmentId: string | undefined;
}

export type GridSelection =
  /** A rectangle, which ends when the active cell moves. */
  | { readonly kind: 'cells'; readonly anchor: GridPosition; readonly end: GridPosition; readonly ids: RowIds }
  /** Whole rows, which stay selected when the active cell moves. `last` is the row that was selected last. */
  | { readonly kind: 'rows'; readonly spans: readonly RowSpan[]; readonly last: number; readonly ids: RowIds }
  /** Whole rows were selected until the list of rows changed. */
  | { readonly kind: 'ended' };

/** The ids of the parameters at the ends of selected spans, as far as they are loaded, with which moved rows are detected. */
export type RowIds = ReadonlyMap<number, string>;

/** The open editor. `target` is the cell at the time when it opened: later, rows may move and other users may change the value. */
export type GridEditing =
  | {
      /** Where the editor is: in the cell, on the full page after that, or on the full page only. */
      readonly mode: 'cell' | 'cellAndPage' | 'page';
      readonly target: DraftTarget;
      /** The character that opened the editor; null if it starts with the initial text. */
      readonly typed: string | null;
      readonly initial: { readonly text: string; readonly dynamic: boolean };
    }
  /** The full value of a cell that is read-only. */
  | { readonly mode: 'view'; readonly target: DraftTarget };

/** A warning, or the result of an action, which is shown for a few seconds. */
export interface GridMessage {
  readonly kind: 'warning' | 'notice';
  readonly text: string;
}

export type GridCommand =
  /** Moves the active cell. `extend` also moves the end of the selected range. */
  | { readonly kind: 'move' | 'extend'; readonly rows: number; readonly columns: number }
  | { readonly kind: 'moveTo'; readonly position: GridPosition }
  /** Selects the cells from the anchor to a cell, which becomes active. Without an anchor, the current one stays. */
  | { readonly kind: 'extendTo'; readonly position: GridPosition; readonly anchor?: GridPosition }
  /** Selects or deselects the active row, or all rows of the active group; with `isRange`, also those since the last selected row. */
  | { readonly kind: 'toggleRow'; readonly isRange?: boolean }
  /** `selectRows` extends the selected cells to whole rows. */
  | { readonly kind: 'selectAll' | 'selectRows' }
  /** `toggleAllRows` selects all rows, or none. */
  | { readonly kind: 'toggleAllRows' | 'clearSelection' }
  | { readonly kind: 'hover'; readonly position: GridPosition | null }
  /** `explain` opens or closes the explanation of the active cell. `close` ends the selection, or else closes the explanation. */
  | { readonly kind: 'explain' | 'close' }
  | { readonly kind: 'closeExplanation' }
  /** Explains the cell in the URL, or none. */
  | { readonly kind: 'openLink'; readonly names: CellNames | null }
  | { readonly kind: 'openEditor'; readonly editing: GridEditing }
  | { readonly kind: 'finishEditing'; readonly focus: FocusAfterEdit }
  | { readonly kind: 'report'; readonly message: GridMessage }
  | { readonly kind: 'endNotice' }
  /** Only follows the rows. */
  | { readonly kind: 'follow' };

export type GridDispatch = (command: GridCommand) => void;

/** Shows a warning until the active cell moves. */
export const warn = (dispatch: GridDispatch, text: string): void =>
  dispatch({ kind: 'report', message: { kind: 'warning', text } });

/** Returns the selected cells; the active cell alone if the user has selected none. */
export function selectedRange({ selection, active, rows }: GridState): CellRange {
  if (selection?.kind === 'rows') return { spans: selection.spans, left: 0, right: rows.columns.length - 1 };
  return selection?.kind === 'cells' ? rangeBetween(selection.anchor, selection.end) : rangeBetween(active, active);
}

export const hasSelectedRows = ({ selection }: GridState): boolean => selection?.kind === 'rows';

/** Returns whether several cells or whole rows are selected. */
export const hasSelection = (state: GridState): boolean =>
  hasSelectedRows(state) || cellCount(selectedRange(state)) > 1;

/** Returns the cells that an action in a cell applies to: the selected ones if it is one of them, or else the cell alone. */
export function rangeAt(state: GridState, position: GridPosition): CellRange {
  const range = selectedRange(state);
  return hasCell(range, position) ? range : rangeBetween(position, position);
}

/** Returns the names of a cell; null on the line of a group, and until the row is loaded. */
export function namesAt({ columns, rowAt }: GridRows, { row, column, onGroup }: GridPosition): CellNames | null {
  const [line, environment] = [onGroup ? undefined : rowAt(row), columns[column]];
  return line && environment ? { cell: line.name, in: environment.name } : null;
}

/** Returns a key of the filter and the order, on which the positions of rows depend. */
export const createRowsKey = ({ question }: Pick<GridRows, 'question'>): string => {
  const { q, state, sortedById, descending, grouped } = question;
  return JSON.stringify([q, state, sortedById, descending, grouped]);
};

/** Returns whether the active cell is the explained one. They differ if a filter hides the explained cell. */
export const isActiveExplained = ({ explained, rows, active }: GridState): boolean =>
  explained !== null && isSameCell(explained, namesAt(rows, active));

/** Describes the last action or the selected range for the status line; null if there is nothing to describe. */
export function describeSelection(state: GridState): string | null {
  const { message, selection, rows } = state;
  if (message?.kind === 'notice') return message.text;
  if (selection?.kind === 'ended') return ENDED;
  const range = selectedRange(state);
  return selection?.kind === 'cells' && cellCount(range) > 1 ? describeRange(range, rows.lines.hiddenIn(range)) : null;
}

const ENDED = 'The rows are no longer selected, because the list of parameters has changed. Select them again.';
