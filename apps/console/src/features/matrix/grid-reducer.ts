import type { LastCell } from '../../kit/drafts/last-grids.ts';
import { countRows, hasRow, type RowSpan, rangeBetween, rowsWithin, withRows } from './cell-range.ts';
import {
  type ChosenCell,
  createRowsKey,
  type GridCommand,
  type GridRows,
  type GridSelection,
  type GridState,
  hasSelectedRows,
  hasSelection,
  namesAt,
  type RowIds,
  selectedRange,
} from './grid-state.ts';
import type { CellNames, GridPosition } from './grid-types.ts';

/** The number of rows and columns that the active cell moves after an edit. */
const AFTER_EDIT = { stay: [0, 0], down: [1, 0], right: [0, 1], left: [0, -1] } as const;

/** Returns the state when the grid opens. The explained cell or the last one becomes active when the rows are loaded. */
export function initialState(rows: GridRows, explained: CellNames | null, last: LastCell | null): GridState {
  const active = { row: 0, column: 0 };
  return seek({
    rows,
    active,
    chosen: choose(rows, active),
    sought: explained ?? last,
    selection: null,
    hovered: null,
    explained,
    isExplanationAwaited: false,
    editing: null,
    message: null,
  });
}

/** Returns the state after a command. The state first follows the rows, which may have changed since the last command. */
export function reduce(previous: GridState, command: GridCommand, rows: GridRows): GridState {
  const state = follow(previous, rows);
  switch (command.kind) {
    case 'follow':
      return state;
    case 'hover':
      return state.hovered === command.position ? state : { ...state, hovered: command.position };
    case 'moveTo':
      return moveTo(state, command.position);
    case 'move':
      return moveTo(state, positionAfter(state, command, false));
    case 'extendTo':
      return extendTo(state, command.position, command.anchor);
    case 'extend':
      return extendTo(state, positionAfter(state, command, true));
    case 'toggleRow':
      return toggleRow(state, command.isRange ?? false);
    case 'selectAll':
      return selectCells(state, { row: 0, column: 0 }, lastCell(rows, rows.lines.total - 1));
    case 'selectRows':
      return selectRows(state);
    case 'toggleAllRows': {
      const isAll = hasSelectedRows(state) && countRows(selectedRange(state)) === rows.lines.total;
      return isAll ? withSelection(state, null) : setRows(state, { top: 0, bottom: rows.lines.total - 1 }, true);
    }
    case 'clearSelection':
      return withSelection(state, null);
    case 'explain':
      return toggleExplanation(state);
    case 'close':
      return hasSelection(state) ? withSelection(state, null) : closeExplanation(state);
    case 'closeExplanation':
      return closeExplanation(state);
    case 'openLink':
      return openLink(state, command.names);
    case 'openEditor':
      return { ...state, editing: command.editing };
    case 'finishEditing': {
      const closed = { ...state, editing: null };
      if (command.focus === 'leave') return closed;
      const [down, right] = AFTER_EDIT[command.focus];
      return moveTo(closed, positionAfter(state, { rows: down, columns: right }, true));
    }
    case 'report':
      return { ...state, message: command.message };
    case 'endNotice': {
      const { message, selection } = state;
      return {
        ...state,
        message: message?.kind === 'notice' ? null : message,
        selection: selection?.kind === 'ended' ? null : selection,
      };
    }
  }
}

/** Returns the state with positions in other rows and columns. Returns the same state if they are the same. */
export function follow(state: GridState, rows: GridRows): GridState {
  if (state.rows === rows) return state;
  const chosen = keepChosenCell(state.chosen, rows);
  const active = clampPosition(rows, chosen);
  // The explained cell becomes active at its new position after the filter has changed.
  const isOther = state.rows.question !== rows.question;
  const next = seek({ ...state, rows, chosen, active, sought: (isOther ? state.explained : null) ?? state.sought });
  const names = next.isExplanationAwaited ? namesAt(rows, next.active) : null;
  return {
    ...next,
    selection: followSelection(state, next),
    ...(names && { explained: names, isExplanationAwaited: false }),
  };
}

/** Keeps the focus on its cell when other rows or columns are added or removed. */
function keepChosenCell(chosen: ChosenCell, rows: GridRows): ChosenCell {
  const name = rows.rowAt(chosen.row)?.name;
  // The row may be loaded later.
  if (name === undefined) return chosen;
  const row = name === chosen.name || chosen.name === undefined ? null : rows.findRow(chosen.name);
  const column = rows.columns.findIndex(({ id }) => id === chosen.environmentId);
  return choose(rows, { ...chosen, row: row ?? chosen.row, column: column === -1 ? chosen.column : column });
}

/** Makes the sought cell the active one as soon as the rows are loaded, unless it is not among them. */
function seek(state: GridState): GridState {
  const { sought, rows } = state;
  if (!sought || rows.isPending) return state;
  // The row of the last cell may not be loaded yet. Its position is known if the filter and the order are the same.
  const lastRow = 'row' in sought && sought.rowsKey === createRowsKey(rows) ? sought.row : null;
  const row = rows.findRow(sought.cell) ?? lastRow;
  const column = rows.columns.findIndex(({ name }) => name === sought.in);
  if (row === null || column === -1) return { ...state, sought: null };
  const chosen = choose(rows, { row, column });
  return { ...state, sought: null, chosen, active: clampPosition(rows, chosen) };
}

/** Ends a selection whose positions would now contain other cells. */
function followSelection({ selection, rows, active }: GridState, next: GridState): GridSelection | null {
  if (!selection || selection.kind === 'ended') return selection;
  const hasMoved = [...selection.ids].some(([row, id]) => (next.rows.rowAt(row)?.parameterId ?? id) !== id);
  const isSameOrder = !hasMoved && describeOrder(rows) === describeOrder(next.rows);
  if (selection.kind === 'rows') return isSameOrder ? selection : { kind: 'ended' };
  const isSameColumns = listColumnIds(rows) === listColumnIds(next.rows);
  return isSameOrder && isSameColumns && isSamePosition(active, next.active) ? selection : null;
}

/** Returns what decides which rows are shown. The visible environments do not. */
const describeOrder = ({ lines: { ownCount, total }, question }: GridRows): string =>
  JSON.stringify([ownCount, total, { ...question, environmentIds: [] }]);

const listColumnIds = ({ columns }: GridRows): string => columns.map(({ id }) => id).join();

const isSamePosition = (left: GridPosition, right: GridPosition): boolean =>
  left.row === right.row && left.column === right.column;

const choose = ({ rowAt, columns }: GridRows, { row, column, onGroup = false }: GridPosition): ChosenCell => ({
  ...{ row, column, onGroup },
  name: rowAt(row)?.name,
  environmentId: columns[column]?.id,
});

/** Returns the nearest position inside the grid. In place of a hidden row, it is the line of the group. */
function clampPosition({ lines, columns }: GridRows, { row, column, onGroup = false }: GridPosition): GridPosition {
  const line = lines.place({ row: clamp(row, lines.total - 1), onGroup });
  return { ...line, column: clamp(column, columns.length - 1) };
}

const clamp = (value: number, high: number): number => Math.max(0, Math.min(high, value));

/** Returns the position some rows and columns away. `isRow` skips the lines of groups. */
function positionAfter(
  { active, rows }: GridState,
  by: { rows: number; columns: number },
  isRow: boolean,
): GridPosition {
  return { ...rows.lines.move(active, by.rows, isRow), column: active.column + by.columns };
}

/** Makes another cell the active one. An open explanation follows. */
function moveTo(state: GridState, position: GridPosition): GridState {
  const { rows, selection } = state;
  const active = clampPosition(rows, position);
  const names = namesAt(rows, active);
  return {
    ...state,
    active,
    chosen: choose(rows, active),
    selection: selection?.kind === 'cells' && !isSamePosition(active, state.active) ? null : selection,
    hovered: null,
    explained: (state.explained && names) ?? state.explained,
    isExplanationAwaited: false,
    message: null,
  };
}

/** Explains the cell of a link and makes it the active one. */
function openLink(state: GridState, names: CellNames | null): GridState {
  const next = seek({ ...state, explained: names, sought: names, isExplanationAwaited: false });
  if (isSamePosition(state.active, next.active)) return next;
  const selection = next.selection?.kind === 'cells' ? null : next.selection;
  return { ...next, selection, hovered: null, message: null };
}

function extendTo(state: GridState, position: GridPosition, from?: GridPosition): GridState {
  const { selection, active } = state;
  const anchor = from ?? (selection?.kind === 'cells' ? selection.anchor : active);
  const moved = moveTo(state, position);
  // The ids of rows that are no longer loaded are those of the earlier selection.
  return selectCells({ ...moved, selection }, anchor, moved.active);
}

const withSelection = (state: GridState, selection: GridSelection | null): GridState => ({
  ...state,
  selection,
  message: null,
});

function selectCells(state: GridState, anchor: GridPosition, end: GridPosition): GridState {
  const ids = findIds(state, rangeBetween(anchor, end).spans);
  return withSelection(state, { kind: 'cells', anchor, end, ids });
}

/** Extends the selected cells to whole rows. */
function selectRows(state: GridState): GridState {
  if (state.active.onGroup) return toggleRow(state, false);
  const { spans } = selectedRange(state);
  const [first, last] = [spans[0], spans.at(-1)];
  return first && last ? selectCells(state, { row: first.top, column: 0 }, lastCell(state.rows, last.bottom)) : state;
}

function toggleRow(state: GridState, isRange: boolean): GridState {
  const { active, selection } = state;
  const range = hasSelectedRows(state) ? selectedRange(state) : { spans: [] };
  const group = activeGroup(state);
  if (group) return setRows(state, group, rowsWithin(range, group) <= group.bottom - group.top);
  const from = isRange && selection?.kind === 'rows' ? selection.last : active.row;
  const rows = { top: Math.min(from, active.row), bottom: Math.max(from, active.row) };
  return setRows(state, rows, !hasRow(range, active.row), active.row);
}

/** Selects whole rows or deselects them, in addition to other rows. */
function setRows(state: GridState, rows: RowSpan, isSelected: boolean, last = rows.bottom): GridState {
  const spans = withRows(hasSelectedRows(state) ? selectedRange(state).spans : [], rows, isSelected);
  return withSelection(state, spans.length === 0 ? null : { kind: 'rows', spans, last, ids: findIds(state, spans) });
}

/** Returns the ids of the parameters at the ends of some spans, as far as they are loaded. */
function findIds({ rows, selection }: GridState, spans: readonly RowSpan[]): RowIds {
  const earlier = selection && 'ids' in selection ? selection.ids : undefined;
  const ends = new Set(spans.flatMap(({ top, bottom }) => [top, bottom]));
  return new Map(
    [...ends].flatMap((row): readonly [number, string][] => {
      const id = rows.rowAt(row)?.parameterId ?? earlier?.get(row);
      return id === undefined ? [] : [[row, id]];
    }),
  );
}

const lastCell = ({ columns }: GridRows, row: number): GridPosition => ({ row, column: columns.length - 1 });

/** Returns the group whose line is active; null in a cell. */
export function activeGroup({ active, rows: { lines } }: GridState) {
  const line = active.onGroup ? lines.at(lines.of(active)) : null;
  return line?.kind === 'group' ? line : null;
}

/** Opens or closes the explanation of the active cell. It opens later if the row is not loaded yet. */
function toggleExplanation(state: GridState): GridState {
  const { active, rows, explained, isExplanationAwaited } = state;
  if (active.onGroup) return toggleRow(state, false);
  if (explained) return closeExplanation(state);
  const names = namesAt(rows, active);
  return { ...state, explained: names, isExplanationAwaited: names === null && !isExplanationAwaited };
}

const closeExplanation = (state: GridState): GridState => ({ ...state, explained: null, isExplanationAwaited: false });
