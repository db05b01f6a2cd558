import { Link } from '@tanstack/react-router';
import { ArrowDown, ArrowDownUp, ArrowUp, Pin } from 'lucide-react';
import { memo, type PointerEvent, useRef } from 'react';
import { counted } from '../../lib/counted.ts';
import { UserText } from '../../ui/user-text.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import { rowsOf } from './cell-range.ts';
import type { ColumnActions, Sorting } from './column-actions.ts';
import { acceptColumn, dragColumn, draggedColumn } from './column-drag.ts';
import styles from './grid.module.css';
import type { ColumnOfGrid } from './grid-types.ts';
import { RowCheck } from './row-check.tsx';
import { textWidth } from './text-width.ts';
import type { CellSelection } from './use-selection.ts';

/** The maximum depth that has its own style. */
const DEPTH_MAX = 3;

interface GridHeadProps extends Omit<ColumnActions, 'onResize'> {
  readonly columns: readonly ColumnOfGrid[];
  readonly active: number;
  readonly selection: CellSelection;
  /** The number of rows. */
  readonly total: number;
  /** Sets the width of a column in pixels, `isDone` at the end of a drag. */
  onResize(name: string, pixels: number, isDone: boolean): void;
}

export function GridHead(props: GridHeadProps) {
  const { columns, active, selection, total, sorting, onSort, onMove, onResize } = props;
  return (
    <div role="rowgroup" className={styles.head}>
      <div role="row" aria-rowindex={1} className={styles.headLine}>
        <div role="columnheader" aria-colindex={1} className={styles.corner}>
          <AllRows {...{ selection, total }} />
          Parameter
          <SortButton by={undefined} label="name" {...{ sorting, onSort }} />
        </div>
        {columns.map(({ id, name, parentName, depth, at, isPinned }) => (
          <div
            key={id}
            role="columnheader"
            aria-colindex={at + 2}
            aria-sort={sortOf(name, sorting)}
            className={styles.environment}
            data-depth={Math.min(depth, DEPTH_MAX)}
            data-active={at === active || undefined}
            data-pinned={isPinned || undefined}
            style={isPinned ? { insetInlineStart: `var(--at-${at})` } : undefined}
            draggable
            onDragStart={dragColumn(name)}
            onDragOver={acceptColumn}
            onDrop={(event) => onMove(draggedColumn(event), name)}
          >
            <EnvironmentName name={name} isPinned={isPinned} />
            <span className={styles.parent}>
              <UserText>{parentName === null ? 'root' : `inherits ${parentName}`}</UserText>
            </span>
            <SortButton by={name} label={name} {...{ sorting, onSort }} />
            <Border column={at} onResize={(pixels, isDone) => onResize(name, pixels, isDone)} />
          </div>
        ))}
      </div>
    </div>
  );
}

/** Selects all rows of the filter, loaded or not, or none. */
function AllRows({ selection, total }: Pick<GridHeadProps, 'selection' | 'total'>) {
  const count = selection.hasRows ? rowsOf(selection.range) : 0;
  const isAll = count === total;
  return (
    total > 0 && (
      <RowCheck
        of={`all ${counted(total, 'row')}`}
        selected={isAll ? 'all' : count > 0 ? 'some' : 'none'}
        onChange={() => (isAll ? selection.clear() : selection.setRows({ top: 0, bottom: total - 1 }, true))}
      />
    )
  );
}

interface NameProps {
  readonly name: string;
  readonly isPinned: boolean;
}

/** Opens the environment. With keys, the menu of a cell does this. It is memoized, because the head is rendered with every move. */
const EnvironmentName = memo(function EnvironmentName({ name, isPinned }: NameProps) {
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
});

interface SortButtonProps {
  /** The environment of the column; undefined for the names. */
  readonly by: string | undefined;
  readonly label: string;
  readonly sorting: Sorting;
  onSort(sorting: Sorting): void;
}

/** Sorts the rows by a column: first ascending, then descending, then by name again. */
function SortButton({ by, label, sorting, onSort }: SortButtonProps) {
  const isSorted = sorting.by === by;
  const next = isSorted
    ? { by: sorting.isDescending ? undefined : by, isDescending: !sorting.isDescending }
    : { by, isDescending: false };
  const Sign = !isSorted ? ArrowDownUp : sorting.isDescending ? ArrowDown : ArrowUp;
  return (
    <button
      type="button"
      className={styles.sort}
      aria-label={withVisibleCharacters(`Sort by ${label}`)}
      title={`Sort by ${by === undefined ? 'name' : 'the values'}`}
      data-sorted={(isSorted && (by !== undefined || sorting.isDescending)) || undefined}
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

const sortOf = (by: string, sorting: Sorting) =>
  sorting.by !== by ? undefined : sorting.isDescending ? 'descending' : 'ascending';

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
