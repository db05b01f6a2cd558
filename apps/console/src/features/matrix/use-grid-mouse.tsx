import { type KeyboardEvent, type MouseEvent, Suspense, useState } from 'react';
import { lazyPart } from '../../ui/lazy-part.tsx';
import type { OpenMenu, ScreenPoint } from './cell-menu.tsx';
import { hasCell, rangeBetween } from './cell-range.ts';
import { findTarget } from './grid-data.ts';
import type { GridProps } from './grid-props.ts';
import { activeGroup, reduce } from './grid-reducer.ts';
import { type GridCommand, type GridState, hasSelectedRows, selectedRange, warn } from './grid-state.ts';
import type { GridPosition } from './grid-types.ts';
import type { KeyCommand } from './keys.ts';

const CellMenu = lazyPart(async () => (await import('./cell-menu.tsx')).CellMenu);

interface GridMouseContext {
  /** Runs a command in the current state, or in the one after an earlier command. */
  run(command: KeyCommand, currentState?: GridState): void;
  /** Moves the focus back to the active cell. */
  focus(): void;
}

/** The actions of the buttons in cells and of the names of rows, as in `data-action`. */
type CellAction = 'explain' | 'edit' | 'copy' | 'menu';
/** The actions of the checkboxes of rows and groups, and of the lines of groups. */
type LineAction = 'select' | 'toggle';

/** Handles the menu of the selected cells, and the buttons in the cell below the pointer. */
export function useGridMouse(props: GridProps, { run, focus }: GridMouseContext) {
  const { state, dispatch, data, actions } = props;
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const openMenu = (point: ScreenPoint, range = selectedRange(state), hasRows = hasSelectedRows(state)) =>
    setMenu({ ...point, range, hasRows });
  const act = (action: CellAction, point: ScreenPoint, currentState = state) => {
    const { active } = currentState;
    const selected = selectedRange(currentState);
    // The line of a group is no cell, so its menu is that of the selection.
    const isSelected = hasCell(selected, active) || findTarget(data, active) === null;
    const range = isSelected ? selected : rangeBetween(active, active);
    if (action === 'menu') openMenu(point, range, isSelected && hasSelectedRows(currentState));
    else if (action === 'copy') actions.copy(range);
    else if (action === 'edit') run({ kind: 'edit', typed: null }, currentState);
    else if (!currentState.explained) run({ kind: 'explain' }, currentState);
  };
  const actIn = (position: GridPosition, action: CellAction, point: ScreenPoint) => {
    const move: GridCommand = { kind: 'moveTo', position };
    dispatch(move);
    act(action, point, reduce(state, move, state.rows));
  };
  return {
    menu: menu && (
      <Suspense>
        <CellMenu
          {...{ data, actions, run, menu }}
          target={findTarget(data, state.active)}
          isExplaining={state.explained !== null}
          onWarn={(text) => warn(dispatch, text)}
          onClose={() => {
            setMenu(null);
            focus();
          }}
        />
      </Suspense>
    ),
    openMenu: (point: ScreenPoint) => openMenu(point),
    /** Runs the action of the clicked button, checkbox or name. Returns whether there is one. */
    onActionClick: (event: MouseEvent, position: GridPosition | null): boolean => {
      const { action, line } = findAction(event.target as Element);
      if (action === undefined || line === undefined) return false;
      const linePosition = { row: Number(line.row), column: state.active.column, onGroup: line.group !== undefined };
      if (action === 'select' || action === 'toggle') actOnLine(props, action, linePosition, event.shiftKey);
      else actIn(position ?? linePosition, action, { x: event.clientX, y: event.clientY });
      return true;
    },
    onMenu: (event: MouseEvent, position: GridPosition | null) => {
      // A long press on a touch screen selects text, as everywhere else.
      if (!position || (event.nativeEvent as PointerEvent).pointerType === 'touch') return;
      event.preventDefault();
      const point = { x: event.clientX, y: event.clientY };
      const open = () => (hasCell(selectedRange(state), position) ? openMenu(point) : actIn(position, 'menu', point));
      // Some systems request the menu when the button is pressed. Its release would then close the menu as a click outside.
      if (event.buttons === 0) open();
      else addEventListener('mouseup', open, { once: true });
    },
    /** Opens the menu at the active cell. Returns whether the key does so. */
    onMenuKey: (event: KeyboardEvent): boolean => {
      if (event.key !== 'ContextMenu' && !(event.key === 'F10' && event.shiftKey)) return false;
      const { left, bottom } = (event.target as Element).getBoundingClientRect();
      event.preventDefault();
      if (hasSelectedRows(state) || findTarget(data, state.active)) act('menu', { x: left, y: bottom });
      return true;
    },
  };
}

/** Returns the action of an element, and the data of the line that contains it. */
const findAction = (element: Element) => ({
  action: element.closest<HTMLElement>('[data-action]')?.dataset.action as CellAction | LineAction | undefined,
  line: element.closest<HTMLElement>('[data-row]')?.dataset,
});

/** Runs the action of a checkbox, or of the line of a group. */
function actOnLine(
  { state, dispatch, groups }: GridProps,
  action: LineAction,
  position: GridPosition,
  isRange: boolean,
): void {
  const move: GridCommand = { kind: 'moveTo', position };
  const group = activeGroup(reduce(state, move, state.rows));
  dispatch(move);
  if (group && action === 'toggle') groups.set(group, !group.isCollapsed);
  else dispatch({ kind: 'toggleRow', isRange });
}
