import {
  type ClipboardEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent as ReactPointerEvent,
  useCallback,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react';
import { cellCount } from './cell-range.ts';
import type { GridProps } from './grid-props.ts';
import type { GridPosition } from './grid-types.ts';
import { commandOf, type GridCommand } from './keys.ts';
import type { DraftTarget } from './use-cell-actions.ts';
import { useEditor } from './use-editor.tsx';
import { useGridMouse } from './use-grid-mouse.tsx';
import type { GridViewport } from './use-viewport.ts';

/** Handles keyboard and mouse events of the grid, and the editor of the active cell. */
export function useGridInteractions(
  props: GridProps,
  scroller: React.RefObject<HTMLDivElement | null>,
  viewport: GridViewport,
) {
  const { columns, matrix, active, onMove, onStage, selection, actions } = props;
  const target = targetOf(props);
  const mayEdit = () => mayEditCell(props, target);
  const within = ({ row, column, onGroup }: GridPosition): GridPosition => {
    requestFocus();
    const place = { row: clamp(row, matrix.lines.total - 1), column: clamp(column, columns.length - 1) };
    return onGroup ? { ...place, onGroup } : place;
  };
  const moveTo = (place: GridPosition) => onMove(within(place));
  const extendTo = (to: GridPosition, anchor?: GridPosition) => selection.extend(within(to), anchor);
  const { edit, openFullPage, isEditing, editor, fullPage } = useEditor(props, { target, mayEdit, moveTo });
  const { focus, requestFocus } = useCellFocus(scroller, isEditing);

  const run = (command: GridCommand) => {
    if ('rows' in command) {
      const isExtended = command.kind === 'extend';
      const column = active.column + command.columns;
      const place = command.rows === 0 ? active : matrix.lines.move(active, command.rows, isExtended);
      if (isExtended) extendTo({ row: place.row, column });
      else moveTo({ ...place, column });
    } else if (command.kind === 'edit') edit(command.typed);
    else if (command.kind === 'fullPage') openFullPage();
    else if (command.kind === 'unset') {
      const range = selection.at(active);
      if (cellCount(range) > 1) actions.unset(range);
      else if (target && mayEdit()) onStage(target, { kind: 'unset' });
    } else simpleCommands(props)[command.kind]();
  };
  const mouse = useGridMouse(props, { target, run, moveTo, focus });
  useImperativeHandle(props.handle, () => ({ focus, edit: () => edit(null), openMenu: mouse.openMenu }));
  const onKeyDown = (event: KeyboardEvent) => {
    if (isEditing || mouse.onMenuKey(event)) return;
    // In a cell with a button, Enter and Space press the button.
    if ((event.target as Element).matches('button, input') && (event.key === 'Enter' || event.key === ' ')) return;
    const pressed = commandOf(event, viewport.page);
    const command = pressed && (commandOfGroup(pressed, props) ?? pressed);
    // With one cell, Ctrl+R reloads the page and Ctrl+D adds a bookmark, as everywhere else.
    if (!command || (isFill(command) && cellCount(selection.at(active)) === 1)) return;
    event.preventDefault();
    if (typeof command === 'function') command();
    else run(command);
  };
  const onClick = (event: MouseEvent) => {
    const place = gridCellOf(event.target as Element);
    if (mouse.onActionClick(event, place) || !place || isInEditor(event)) return;
    const isTouch = (event.nativeEvent as PointerEvent).pointerType === 'touch';
    // A phone has no space bar, so a tap on the active cell explains it.
    if (isTouch && place.row === active.row && place.column === active.column) props.onExplain();
    else if (event.shiftKey) extendTo(place);
    else moveTo(place);
  };
  const onDoubleClick = (event: MouseEvent) => {
    if (gridCellOf(event.target as Element) && !isInEditor(event)) edit(null);
  };
  const clipboard = useClipboardEvents(props, isEditing);
  const onContextMenu = (event: MouseEvent) => {
    if (!isEditing) mouse.onMenu(event, gridCellOf(event.target as Element));
  };
  const { menu } = mouse;
  const drag = useDrag(extendTo);
  return { editor, fullPage, menu, onKeyDown, onClick, onDoubleClick, onContextMenu, ...clipboard, ...drag };
}

/** Returns whether a cell can be edited, and shows the reason if it cannot. */
function mayEditCell({ whyNot, onRefuse }: GridProps, target: DraftTarget | null): boolean {
  if (!target) return false;
  const reason = whyNot(target.line, target.column);
  if (reason !== null) onRefuse(reason);
  return reason === null;
}

/** Returns the commands that need nothing of the grid itself. */
function simpleCommands(props: GridProps) {
  const { onExplain, onUndo, onRedo, onClose, selection, actions, matrix, columns, active } = props;
  const lastColumn = columns.length - 1;
  const range = selection.at(active);
  return {
    explain: onExplain,
    undo: onUndo,
    redo: onRedo,
    close: selection.isSeveral ? selection.clear : onClose,
    selectAll: () => selection.select({ row: 0, column: 0 }, { row: matrix.lines.total - 1, column: lastColumn }),
    selectRows: () => {
      const [first, last] = [range.spans[0], range.spans.at(-1)];
      if (first && last) selection.select({ row: first.top, column: 0 }, { row: last.bottom, column: lastColumn });
    },
    toggleRow: () => selection.toggleRow(active.row, false),
    fillDown: () => actions.fill('down', range),
    fillRight: () => actions.fill('right', range),
  };
}

const isFill = (command: GridCommand | (() => void)) => 'kind' in command && command.kind.startsWith('fill');

/**
 * Returns what a key does on the line of a group: arrows collapse and expand it, Enter toggles it, and Space selects its rows. Returns null
 * for keys with the usual effect, and in other lines.
 */
function commandOfGroup(command: GridCommand, { active, matrix, groups, selection }: GridProps): (() => void) | null {
  const group = active.onGroup ? matrix.lines.at(matrix.lines.of(active)) : null;
  if (group?.kind !== 'group') return null;
  if (command.kind === 'move') {
    if (command.rows !== 0) return null;
    return () => Math.abs(command.columns) === 1 && groups.set(group, command.columns < 0);
  }
  if (command.kind === 'edit') return () => command.typed === null && groups.set(group, !group.isCollapsed);
  if (command.kind === 'explain' || command.kind === 'toggleRow' || command.kind === 'selectRows') {
    return () => selection.toggleRows(group);
  }
  // Other keys apply to a cell, and no cell has the focus.
  const isForGrid = ['close', 'undo', 'redo', 'selectAll'].includes(command.kind);
  return isForGrid ? null : () => {};
}

/** Copies and pastes the selected cells when the browser requests it, by a key or by its menu. */
function useClipboardEvents({ actions, selection, active }: GridProps, isEditing: boolean) {
  return {
    onCopy: (event: ClipboardEvent) => {
      if (isEditing || !window.getSelection()?.isCollapsed) return;
      event.preventDefault();
      actions.copy(selection.at(active));
    },
    onPaste: (event: ClipboardEvent) => {
      if (isEditing) return;
      event.preventDefault();
      actions.paste(event.clipboardData.getData('text/plain'), selection.at(active));
    },
  };
}

/** Selects the cells between the one where a mouse button was pressed and the one below the pointer. */
function useDrag(extendTo: (to: GridPosition, anchor: GridPosition) => void) {
  const start = useRef<GridPosition | null>(null);
  const end = useRef<GridPosition | null>(null);
  return {
    onPointerDown: (event: ReactPointerEvent) => {
      const isDrag = event.pointerType === 'mouse' && event.button === 0 && !event.shiftKey && !isInEditor(event);
      start.current = isDrag ? gridCellOf(event.target as Element) : null;
      end.current = start.current;
    },
    onDrag: (event: ReactPointerEvent) => {
      const place = event.buttons === 1 && start.current ? gridCellOf(event.target as Element) : null;
      if (!place || !start.current || (place.row === end.current?.row && place.column === end.current.column)) return;
      end.current = place;
      extendTo(place, start.current);
    },
  };
}

function targetOf({ matrix, active, columns }: GridProps): DraftTarget | null {
  if (active.onGroup) return null;
  const line = matrix.rowAt(active.row);
  const column = columns[active.column];
  return line && column ? { line, column, revision: matrix.revisionAt(active.row) } : null;
}

/** Focuses the active cell at once, or after the next render if it moves. */
function useCellFocus(scroller: React.RefObject<HTMLDivElement | null>, isEditing: boolean) {
  const isRequested = useRef(false);
  const focus = useCallback(() => activeCell(scroller.current)?.focus({ preventScroll: true }), [scroller]);
  useLayoutEffect(() => {
    if (!isRequested.current || isEditing) return;
    isRequested.current = false;
    focus();
  });
  const requestFocus = () => {
    isRequested.current = true;
  };
  return { focus, requestFocus };
}

/** Returns the active cell, or the active line of a group. */
const activeCell = (grid: HTMLElement | null) =>
  grid?.querySelector<HTMLElement>(':is([role="gridcell"], [role="row"])[tabindex="0"]');

const isInEditor = (event: MouseEvent) => (event.target as Element).closest('[role="group"], button') !== null;

/** Returns the cell that contains an element. */
export function gridCellOf(target: Element): GridPosition | null {
  const cell = target.closest<HTMLElement>('[data-column]');
  const row = target.closest<HTMLElement>('[data-row]');
  return cell && row ? { row: Number(row.dataset.row), column: Number(cell.dataset.column) } : null;
}

const clamp = (value: number, high: number) => Math.max(0, Math.min(high, value));
