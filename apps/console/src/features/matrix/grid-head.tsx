import { Link } from '@tanstack/react-router';
import { ArrowDown, ArrowDownUp, ArrowUp, Pin } from 'lucide-react';
import { type KeyboardEvent, memo, type PointerEvent, useRef, useState } from 'react';
import { CollapseButton } from '../../kit/scopes/collapse-button.tsx';
import { formatCount } from '../../lib/format-count.ts';
import { UserText } from '../../ui/user-text.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import { countRows } from './cell-range.ts';
import type { ColumnActions, Sorting } from './column-actions.ts';
import { acceptColumn, dragColumn, draggedColumn } from './column-drag.ts';
import styles from './grid.module.css';
import { type GridDispatch, type GridState, hasSelectedRows, selectedRange } from './grid-state.ts';
import type { ColumnOfGrid } from './grid-types.ts';
import { RowCheck } from './row-check.tsx';
import { textWidth } from './text-width.ts';

/** The maximum depth that has its own style. */
const DEPTH_MAX = 3;

interface GridHeadProps extends Omit<ColumnActions, 'onResize'> {
  readonly state: GridState;
  readonly dispatch: GridDispatch;
  /** The number of rows; 0 until they are loaded. */
  readonly total: number;
  /** Sets the width of a column in pixels, `isDone` at the end of a drag. */
  onResize(name: string, pixels: number, isDone: boolean): void;
}

/** The position of the name column among the heads. */
const NAME = -1;

/** The heads of all columns. Their buttons are one tab stop; the arrow keys move between them. */
export function GridHead({ state, dispatch, total, ...actions }: GridHeadProps) {
  const { columns } = state.rows;
  const active = state.active.column;
  // The tab stop is the head of the active column until another one has the focus.
  const [focused, setFocused] = useState<number | null>(null);
  const stop = focused !== null && focused < columns.length ? focused : active;
  const { sorting, onSort, collapsed, onCollapse } = actions;
  return (
    <div
      role="rowgroup"
      className={styles.head}
      onKeyDown={moveFocus}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setFocused(null);
      }}
    >
      <div role="row" aria-rowindex={1} className={styles.headLine}>
        <div role="columnheader" aria-colindex={1} className={styles.corner}>
          <AllRows {...{ dispatch, total }} count={hasSelectedRows(state) ? countRows(selectedRange(state)) : 0} />
          Parameter
          <SortButton
            by={undefined}
            label="name"
            direction={sorting.by === undefined ? toDirection(sorting) : undefined}
            isStop={stop === NAME}
            onSort={onSort}
            onFocus={() => setFocused(NAME)}
          />
        </div>
        {columns.map((column) => (
          <ColumnHead
            key={column.id}
            column={column}
            direction={sorting.by === column.name ? toDirection(sorting) : undefined}
            isActive={column.at === active}
            isStop={column.at === stop}
            onFocus={setFocused}
            isCollapsed={
              collapsed === null || column.below === 0 ? null : column.hidden > 0 && collapsed.has(column.id)
            }
            {...{ onSort, onCollapse, onMove: actions.onMove, onResize: actions.onResize }}
          />
        ))}
      </div>
    </div>
  );
}

/** Moves the focus between the buttons of the heads. Keys in other elements of the head are those of the grid. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const at = buttons.indexOf(event.target as HTMLButtonElement);
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: buttons.length - 1 }[event.key];
  if (at === -1 || to === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  buttons[Math.max(0, Math.min(to, buttons.length - 1))]?.focus();
}

interface AllRowsProps extends Pick<GridHeadProps, 'dispatch' | 'total'> {
  /** The number of selected rows. */
  readonly count: number;
}

/** Selects all rows of the filter, loaded or not, or none. */
const AllRows = memo(function AllRows({ count, dispatch, total }: AllRowsProps) {
  return (
    total > 0 && (
      <RowCheck
        of={`all ${formatCount(total, 'row')}`}
        selected={count === total ? 'all' : count > 0 ? 'some' : 'none'}
        onChange={() => dispatch({ kind: 'toggleAllRows' })}
      />
    )
  );
});

type Direction = 'ascending' | 'descending' | undefined;

interface ColumnHeadProps extends Omit<GridHeadProps, 'state' | 'dispatch' | 'sorting' | 'total' | 'collapsed'> {
  readonly column: ColumnOfGrid;
  /** The order in which the rows are sorted by this column; undefined if they are not. */
  readonly direction: Direction;
  readonly isActive: boolean;
  /** Whether the environments below it are hidden; null if there are none or if they cannot be hidden. */
  readonly isCollapsed: boolean | null;
  /** Whether its button is the tab stop. */
  readonly isStop: boolean;
  onFocus(column: number): void;
}

/** The head of a column. It is memoized, because each move changes only two of them. */
const ColumnHead = memo(function ColumnHead(props: ColumnHeadProps) {
  const { column, direction, isActive, isCollapsed, isStop, onSort, onCollapse, onMove, onResize, onFocus } = props;
  const { name, parentName, depth, at, isPinned, below, hidden } = column;
  return (
    <div
      role="columnheader"
      aria-colindex={at + 2}
      aria-sort={direction}
      className={styles.environment}
      data-depth={Math.min(depth, DEPTH_MAX)}
      data-active={isActive || undefined}
      data-pinned={isPinned || undefined}
      style={isPinned ? { insetInlineStart: `var(--at-${at})` } : undefined}
      draggable
      onDragStart={dragColumn(name)}
      onDragOver={acceptColumn}
      onDrop={(event) => onMove(draggedColumn(event), name)}
    >
      <span className={styles.environmentLine}>
        {isCollapsed !== null && (
          <CollapseButton
            {...{ name, below, isCollapsed }}
            className={styles.collapse}
            tabIndex={-1}
            onCollapse={(isHidden) => onCollapse(column, isHidden)}
            onFocus={() => onFocus(at)}
          />
        )}
        <EnvironmentName name={name} isPinned={isPinned} />
      </span>
      <span className={styles.parent}>
        {isCollapsed && `${hidden.toLocaleString()} hidden · `}
        <UserText>{parentName === null ? 'root' : `inherits ${parentName}`}</UserText>
      </span>
      <SortButton by={name} label={name} onFocus={() => onFocus(at)} {...{ direction, isStop, onSort }} />
      <Border column={at} onResize={(pixels, isDone) => onResize(name, pixels, isDone)} />
    </div>
  );
});

interface NameProps {
  readonly name: string;
  readonly isPinned: boolean;
}

/** Opens the environment. With keys, the menu of a cell does this. */
function EnvironmentName({ name, isPinned }: NameProps) {
  return (
    <Link
      to="/environments/$environment"
      params={{ environment: name }}
      tabIndex={-1}
      draggable={false}
      className={styles.environmentName}
    >
      {isPinned && <Pin size={11} role="img" aria-label="pinned" />}
      <UserText>{name}</UserText>
    </Link>
  );
}

interface SortButtonProps {
  /** The environment of the column; undefined for the names. */
  readonly by: string | undefined;
  readonly label: string;
  readonly direction: Direction;
  readonly isStop: boolean;
  onSort(sorting: Sorting): void;
  onFocus(): void;
}

/** Sorts the rows by a column: first ascending, then descending, then by name again. */
function SortButton({ by, label, direction, isStop, onSort, onFocus }: SortButtonProps) {
  const isDescending = direction === 'descending';
  const next = direction
    ? { by: isDescending ? undefined : by, isDescending: !isDescending }
    : { by, isDescending: false };
  const Sign = !direction ? ArrowDownUp : isDescending ? ArrowDown : ArrowUp;
  return (
    <button
      type="button"
      tabIndex={isStop ? 0 : -1}
      className={styles.sort}
      aria-label={withVisibleCharacters(`Sort by ${label}`)}
      title={`Sort by ${by === undefined ? 'name' : 'the values'}`}
      data-sorted={(direction && (by !== undefined || isDescending)) || undefined}
      onFocus={onFocus}
      onClick={() => onSort(next)}
    >
      <Sign size={12} aria-hidden />
    </button>
  );
}

interface BorderProps {
  readonly column: number;
  onResize(pixels: number, isDone: boolean): void;
}

const toDirection = ({ isDescending }: Sorting): Direction => (isDescending ? 'descending' : 'ascending');

/** The border after a column: dragging changes the width, and a double click fits it to the visible texts. */
function Border({ column, onResize }: BorderProps) {
  const start = useRef<{ readonly x: number; readonly width: number } | null>(null);
  const drag = (event: PointerEvent, isDone: boolean) => {
    if (!start.current) return;
    onResize(start.current.width + event.clientX - start.current.x, isDone);
    if (isDone) start.current = null;
  };
  return (
    <span
      aria-hidden
      className={styles.border}
      // A drag of the border does not move the column.
      draggable
      onDragStart={(event) => {
        event.preventDefault();
        event.stopPropagation();
      }}
      onPointerDown={(event) => {
        const head = event.currentTarget.parentElement;
        if (event.button !== 0 || !head) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { x: event.clientX, width: head.offsetWidth };
      }}
      onPointerMove={(event) => drag(event, false)}
      onPointerUp={(event) => drag(event, true)}
      onPointerCancel={() => {
        start.current = null;
      }}
      onDoubleClick={({ currentTarget }) => {
        const grid = currentTarget.closest('[role="grid"]');
        const cells = grid?.querySelectorAll<HTMLElement>(`[data-column="${column}"]`) ?? [];
        const head = currentTarget.parentElement;
        onResize(Math.max(...[...cells, ...(head ? [head] : [])].map(textWidth)), true);
      }}
    />
  );
}
