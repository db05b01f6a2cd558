import { type KeyboardEvent, type MouseEvent, Suspense, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { lazyPart } from '../../ui/lazy-part.tsx';
import type { GridProps } from './grid-props.ts';
import type { GridPosition } from './grid-types.ts';
import type { GridCommand } from './keys.ts';
import type { DraftTarget } from './use-cell-actions.ts';

const CellMenu = lazyPart(async () => (await import('./cell-menu.tsx')).CellMenu);

interface GridMouseContext {
  readonly target: DraftTarget | null;
  run(command: GridCommand): void;
  moveTo(row: number, column: number): void;
  /** Moves the focus back to the active cell. */
  focus(): void;
}

/** The actions of the buttons in cells and of the names of rows, as in `data-action`. */
type PointedAction = 'explain' | 'edit' | 'copy' | 'menu';

/** Handles the menu of the selected cells, and the buttons in the cell below the pointer. */
export function useGridMouse(props: GridProps, { target, run, moveTo, focus }: GridMouseContext) {
  const { selection, active, actions, isExplaining } = props;
  const [menuAt, setMenuAt] = useState<{ readonly x: number; readonly y: number } | null>(null);
  const act = (action: PointedAction, at: { readonly x: number; readonly y: number }) => {
    if (action === 'menu') setMenuAt(at);
    else if (action === 'copy') actions.copy();
    else if (action === 'edit') run({ kind: 'edit', typed: null });
    else if (!isExplaining) run({ kind: 'explain' });
  };
  // The actions apply to the active cell, so a move to another one must be rendered first.
  const latest = useRef(act);
  useLayoutEffect(() => {
    latest.current = act;
  });
  const actIn = (
    { row, column }: GridPosition,
    action: PointedAction,
    at: { readonly x: number; readonly y: number },
  ) => {
    flushSync(() => moveTo(row, column));
    latest.current(action, at);
  };
  const isSelected = ({ row, column }: GridPosition) => {
    const { top, bottom, left, right } = selection.range;
    return row >= top && row <= bottom && column >= left && column <= right;
  };
  const menu = menuAt && target && (
    <Suspense>
      <CellMenu
        {...props}
        {...{ target, run }}
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
    /** Runs the action of the clicked button or name. Returns whether there is one. */
    onActionClick: ({ target: clicked, clientX: x, clientY: y }: MouseEvent, place: GridPosition | null): boolean => {
      const element = clicked as Element;
      const action = element.closest<HTMLElement>('[data-action]')?.dataset.action as PointedAction | undefined;
      const row = element.closest<HTMLElement>('[data-row]')?.dataset.row;
      if (action === undefined || row === undefined) return false;
      actIn(place ?? { row: Number(row), column: active.column }, action, { x, y });
      return true;
    },
    onMenu: (event: MouseEvent, place: GridPosition | null) => {
      // A long press on a touch screen selects text, as everywhere else.
      if (!place || (event.nativeEvent as PointerEvent).pointerType === 'touch') return;
      event.preventDefault();
      const at = { x: event.clientX, y: event.clientY };
      const open = () => (isSelected(place) ? act('menu', at) : actIn(place, 'menu', at));
      // Some systems request the menu when the button is pressed. Its release would then close the menu as a click outside.
      if (event.buttons === 0) open();
      else addEventListener('mouseup', open, { once: true });
    },
    /** Opens the menu at the active cell. Returns whether the key does so. */
    onMenuKey: (event: KeyboardEvent): boolean => {
      if (event.key !== 'ContextMenu' && !(event.key === 'F10' && event.shiftKey)) return false;
      const { left, bottom } = (event.target as Element).getBoundingClientRect();
      event.preventDefault();
      act('menu', { x: left, y: bottom });
      return true;
    },
  };
}
