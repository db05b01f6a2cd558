import { type KeyboardEvent, type MouseEvent, Suspense, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { type CellRange, hasCell } from './cell-range.ts';
import type { GridProps } from './grid-props.ts';
import type { GridPosition } from './grid-types.ts';
import type { GridCommand } from './keys.ts';
import type { DraftTarget } from './use-cell-actions.ts';

const CellMenu = lazyPart(async () => (await import('./cell-menu.tsx')).CellMenu);

interface GridMouseContext {
  readonly target: DraftTarget | null;
  run(command: GridCommand): void;
  moveTo(place: GridPosition): void;
  /** Moves the focus back to the active cell. */
  focus(): void;
}

/** The actions of the buttons in cells and of the names of rows, as in `data-action`. */
type CellAction = 'explain' | 'edit' | 'copy' | 'menu';
/** The actions of the checkboxes of rows and groups, and of the lines of groups. */
type LineAction = 'select' | 'toggle';

interface MenuPlace {
  readonly x: number;
  readonly y: number;
  /** The cells that the menu applies to. */
  readonly range: CellRange;
}

/** Handles the menu of the selected cells, and the buttons in the cell below the pointer. */
export function useGridMouse(props: GridProps, { target, run, moveTo, focus }: GridMouseContext) {
  const { selection, active, actions, isExplaining } = props;
  const [menuAt, setMenuAt] = useState<MenuPlace | null>(null);
  const act = (action: CellAction, at: { readonly x: number; readonly y: number }) => {
    const range = target ? selection.at(active) : selection.range;
    if (action === 'menu') setMenuAt({ ...at, range });
    else if (action === 'copy') actions.copy(range);
    else if (action === 'edit') run({ kind: 'edit', typed: null });
    else if (!isExplaining) run({ kind: 'explain' });
  };
  // The actions apply to the active cell, so a move to another one must be rendered first.
  const latest = useLatest(act);
  const actIn = (place: GridPosition, action: CellAction, at: { readonly x: number; readonly y: number }) => {
    flushSync(() => moveTo(place));
    latest.current(action, at);
  };
  const actOnLine = lineActions(props, moveTo);
  const menu = menuAt && (
    <Suspense>
      <CellMenu
        {...props}
        {...{ target, run }}
        range={menuAt.range}
        at={menuAt}
        onClose={() => {
          setMenuAt(null);
          focus();
        }}
      />
    </Suspense>
  );
  return {
    menu,
    openMenu: (at: { readonly x: number; readonly y: number }) => setMenuAt({ ...at, range: selection.range }),
    /** Runs the action of the clicked button, checkbox or name. Returns whether there is one. */
    onActionClick: (event: MouseEvent, place: GridPosition | null): boolean => {
      const element = event.target as Element;
      const action = element.closest<HTMLElement>('[data-action]')?.dataset.action as
        | CellAction
        | LineAction
        | undefined;
      const line = element.closest<HTMLElement>('[data-row]')?.dataset;
      if (action === undefined || line === undefined) return false;
      const row = Number(line.row);
      if (action === 'select' || action === 'toggle') actOnLine(action, row, line.group !== undefined, event.shiftKey);
      else actIn(place ?? { row, column: active.column }, action, { x: event.clientX, y: event.clientY });
      return true;
    },
    onMenu: (event: MouseEvent, place: GridPosition | null) => {
      // A long press on a touch screen selects text, as everywhere else.
      if (!place || (event.nativeEvent as PointerEvent).pointerType === 'touch') return;
      event.preventDefault();
      const at = { x: event.clientX, y: event.clientY };
      const open = () =>
        hasCell(selection.range, place) ? setMenuAt({ ...at, range: selection.range }) : actIn(place, 'menu', at);
      // Some systems request the menu when the button is pressed. Its release would then close the menu as a click outside.
      if (event.buttons === 0) open();
      else addEventListener('mouseup', open, { once: true });
    },
    /** Opens the menu at the active cell. Returns whether the key does so. */
    onMenuKey: (event: KeyboardEvent): boolean => {
      if (event.key !== 'ContextMenu' && !(event.key === 'F10' && event.shiftKey)) return false;
      const { left, bottom } = (event.target as Element).getBoundingClientRect();
      event.preventDefault();
      // On the line of a group, the menu is that of the selected rows.
      if (target || selection.hasRows) act('menu', { x: left, y: bottom });
      return true;
    },
  };
}

/** Returns a function that runs the action of a checkbox, or of the line of a group. */
function lineActions({ active, matrix: { lines }, selection, groups }: GridProps, moveTo: GridMouseContext['moveTo']) {
  return (action: LineAction, row: number, isGroup: boolean, isShift: boolean) => {
    const group = isGroup ? lines.at(lines.of({ row, onGroup: true })) : null;
    moveTo({ row, column: active.column, onGroup: isGroup });
    if (group?.kind !== 'group') selection.toggleRow(row, isShift);
    else if (action === 'toggle') groups.set(group, !group.isCollapsed);
    else selection.toggleRows(group);
  };
}

/** Returns a reference to the function of the last render. */
function useLatest<Run>(run: Run) {
  const latest = useRef(run);
  useLayoutEffect(() => {
    latest.current = run;
  });
  return latest;
}
