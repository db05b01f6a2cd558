import {
  type ClipboardEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent as ReactPointerEvent,
  type RefObject,
  useCallback,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react';
import { cellCount } from './cell-range.ts';
import { findTarget } from './grid-data.ts';
import type { GridProps } from './grid-props.ts';
import { activeGroup } from './grid-reducer.ts';
import { type GridCommand, rangeAt } from './grid-state.ts';
import type { GridPosition } from './grid-types.ts';
import type { GroupActions } from './group-actions.ts';
import { findCommand, type KeyCommand } from './keys.ts';
import type { GroupLine } from './matrix-rows.ts';
import { mayEdit, useEditor } from './use-editor.tsx';
import { useGridMouse } from './use-grid-mouse.tsx';
import type { GridViewport } from './use-viewport.ts';

/** Binds the keyboard, the mouse and the clipboard to the commands of the grid. */
export function useGridInteractions(
  gridProps: GridProps,
  scroller: RefObject<HTMLDivElement | null>,
  viewport: GridViewport,
) {
  const isEditing = gridProps.state.editing !== null;
  const { focus, requestFocus } = useCellFocus(scroller, isEditing);
  const dispatch = (command: GridCommand) => {
    if (movesFocus(command)) requestFocus();
    gridProps.dispatch(command);
  };
  const props = { ...gridProps, dispatch };
  const { state, data, actions, groups } = props;
  const { edit, openFullPage, editor, fullPage } = useEditor(props);

  /** Runs a command in the current state, or in the one after an earlier command. */
  const run = (command: KeyCommand, currentState = state) => {
    const target = findTarget(data, currentState.active);
    const range = rangeAt(currentState, currentState.active);
    if (command.kind === 'edit') edit(target, command.typed);
    else if (command.kind === 'fullPage') openFullPage(target);
    else if (command.kind === 'fillDown') actions.fill('down', range);
    else if (command.kind === 'fillRight') actions.fill('right', range);
    else if (command.kind === 'undo') data.drafting.undo();
    else if (command.kind === 'redo') data.drafting.redo();
    else if (command.kind !== 'unset') dispatch(command);
    else if (cellCount(range) > 1) actions.unset(range);
    else if (mayEdit(props, target)) data.drafting.stage(target, { kind: 'unset' });
  };
  const mouse = useGridMouse(props, { run, focus });
  useImperativeHandle(props.handle, () => ({
    focus,
    moveTo: (position) => dispatch({ kind: 'moveTo', position }),
    edit: (position = state.active) => edit(findTarget(data, position), null),
    openMenu: mouse.openMenu,
  }));

  const onKeyDown = (event: KeyboardEvent) => {
    if (isEditing || mouse.onMenuKey(event)) return;
    // In a cell with a button, Enter and Space press the button.
    if ((event.target as Element).matches('button, input') && (event.key === 'Enter' || event.key === ' ')) return;
    const command = findCommand(event, viewport.page);
    const group = activeGroup(state);
    // With one cell or on the line of a group, Ctrl+R reloads the page and Ctrl+D adds a bookmark, as everywhere else.
    if (!command || (isFill(command) && (group || cellCount(rangeAt(state, state.active)) === 1))) return;
    event.preventDefault();
    if (group) runOnGroup(command, group, groups, run);
    else run(command);
  };
  const onClick = (event: MouseEvent) => {
    const position = findPosition(event.target as Element);
    if (mouse.onActionClick(event, position) || !position || isInEditor(event)) return;
    const isTouch = (event.nativeEvent as PointerEvent).pointerType === 'touch';
    // A phone has no space bar, so a tap on the active cell explains it.
    if (isTouch && isAt(state.active, position)) dispatch({ kind: 'explain' });
    else dispatch({ kind: event.shiftKey ? 'extendTo' : 'moveTo', position });
  };
  const onDoubleClick = (event: MouseEvent) => {
    if (findPosition(event.target as Element) && !isInEditor(event)) run({ kind: 'edit', typed: null });
  };
  const onContextMenu = (event: MouseEvent) => {
    if (!isEditing) mouse.onMenu(event, findPosition(event.target as Element));
  };
  const handlers = { onKeyDown, onClick, onDoubleClick, onContextMenu, ...useDrag(props), ...clipboardHandlers(props) };
  return { editor, fullPage, menu: mouse.menu, handlers };
}

const isFill = ({ kind }: KeyCommand): boolean => kind === 'fillDown' || kind === 'fillRight';

/** Returns whether the active cell gets the focus after a command. */
const movesFocus = (command: GridCommand): boolean =>
  ['move', 'moveTo', 'extend', 'extendTo'].includes(command.kind) ||
  (command.kind === 'finishEditing' && command.focus !== 'leave');

const NEEDS_CELL: ReadonlySet<KeyCommand['kind']> = new Set(['extend', 'unset', 'fullPage', 'fillDown', 'fillRight']);

/** Runs a command on the line of a group: arrows collapse and expand it, and Enter toggles it. */
function runOnGroup(command: KeyCommand, group: GroupLine, groups: GroupActions, run: (command: KeyCommand) => void) {
  if (command.kind === 'move' && command.rows === 0) {
    if (Math.abs(command.columns) === 1) groups.set(group, command.columns < 0);
  } else if (command.kind === 'edit') {
    if (command.typed === null) groups.set(group, !group.isCollapsed);
  } else if (!NEEDS_CELL.has(command.kind)) run(command);
}

/** Returns handlers that copy and paste the selected cells when the browser requests it, by a key or by its menu. */
function clipboardHandlers({ actions, state }: GridProps) {
  const range = rangeAt(state, state.active);
  return {
    onCopy: (event: ClipboardEvent) => {
      if (state.editing || !window.getSelection()?.isCollapsed) return;
      event.preventDefault();
      actions.copy(range);
    },
    onPaste: (event: ClipboardEvent) => {
      if (state.editing) return;
      event.preventDefault();
      actions.paste(event.clipboardData.getData('text/plain'), range);
    },
  };
}

/** Returns handlers that report the cell below the pointer, and select the cells between it and the one where a button was pressed. */
function useDrag({ state: { hovered }, dispatch }: GridProps) {
  const drag = useRef<{ readonly anchor: GridPosition; readonly end: GridPosition } | null>(null);
  return {
    onPointerDown: (event: ReactPointerEvent) => {
      const isDrag = event.pointerType === 'mouse' && event.button === 0 && !event.shiftKey && !isInEditor(event);
      const anchor = isDrag ? findPosition(event.target as Element) : null;
      drag.current = anchor && { anchor, end: anchor };
    },
    onPointerMove: (event: ReactPointerEvent) => {
      const position = findPosition(event.target as Element);
      if (!isAt(hovered, position)) dispatch({ kind: 'hover', position });
      if (event.buttons !== 1 || !position || !drag.current || isAt(drag.current.end, position)) return;
      drag.current = { ...drag.current, end: position };
      dispatch({ kind: 'extendTo', position, anchor: drag.current.anchor });
    },
    onPointerLeave: () => dispatch({ kind: 'hover', position: null }),
  };
}

/** Focuses the active cell at once, or after the next render if it moves. */
function useCellFocus(scroller: RefObject<HTMLDivElement | null>, isEditing: boolean) {
  const isRequested = useRef(false);
  const focus = useCallback(() => activeElement(scroller.current)?.focus({ preventScroll: true }), [scroller]);
  useLayoutEffect(() => {
    // An editor that has just opened keeps the focus.
    if (isRequested.current && !isEditing) focus();
    isRequested.current = false;
  });
  const requestFocus = () => {
    isRequested.current = true;
  };
  return { focus, requestFocus };
}

/** Returns the element of the active cell, or of the active line of a group. */
const activeElement = (grid: HTMLElement | null) =>
  grid?.querySelector<HTMLElement>(':is([role="gridcell"], [role="row"])[tabindex="0"]');

const isInEditor = (event: MouseEvent) => (event.target as Element).closest('[role="group"], button') !== null;

const isAt = (left: GridPosition | null, right: GridPosition | null): boolean =>
  left?.row === right?.row && left?.column === right?.column;

/** Returns the position of the cell that contains an element; null outside of cells. */
function findPosition(target: Element): GridPosition | null {
  const cell = target.closest<HTMLElement>('[data-column]');
  const row = target.closest<HTMLElement>('[data-row]');
  return cell && row ? { row: Number(row.dataset.row), column: Number(cell.dataset.column) } : null;
}
