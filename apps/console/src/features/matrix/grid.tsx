import {
  type MouseEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react';
import { columnsInRow, rowsWithin } from './cell-range.ts';
import styles from './grid.module.css';
import { GridHead } from './grid-head.tsx';
import { GroupRow, InheritedHead } from './grid-headings.tsx';
import type { GridProps } from './grid-props.ts';
import { GridRow } from './grid-row.tsx';
import { gridCellOf, useGridInteractions } from './use-grid-interactions.tsx';
import { type GridViewport, useViewport } from './use-viewport.ts';

/** Renders parameters by environments. Only visible rows and columns are in the document, but the keyboard reaches all cells. */
export function Grid(props: GridProps) {
  const { columns, matrix, active, selection } = props;
  const { lines } = matrix;
  const scroller = useRef<HTMLDivElement>(null);
  const { sized, onResize } = useColumnWidths(props);
  const viewport = useViewport(scroller, lines.count, sized, props);
  const { editor, fullPage, menu, onDrag, ...handlers } = useGridInteractions(props, scroller, viewport);
  const { sizes } = viewport;
  useVisibleRows(props, viewport);

  return (
    <>
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: the rule reads only literal roles; both of these support the attributes */}
      <div
        ref={scroller}
        className={styles.scroller}
        role={lines.isGrouped ? 'treegrid' : 'grid'}
        data-region
        aria-label={props.label}
        aria-rowcount={lines.position(lines.count - 1) + 1}
        aria-colcount={columns.length + 1}
        aria-multiselectable
        aria-busy={matrix.isPending || matrix.isOld}
        data-selecting={selection.hasRows || undefined}
        data-dense={sizes.narrowest < DENSE || undefined}
        style={layoutOf(sizes, viewport.columns.pinned)}
        onPointerMove={(event) => {
          pointAt(event, props);
          onDrag(event);
        }}
        onPointerLeave={() => props.onPoint(null)}
        {...handlers}
      >
        <GridHead
          {...props.columnActions}
          {...{ columns, selection, onResize }}
          total={matrix.isPending ? 0 : lines.total}
          active={active.column}
        />
        {props.lead}
        <div role="rowgroup" className={styles.body} style={{ blockSize: lines.count * sizes.line + sizes.foot }}>
          <Lines {...props} {...{ viewport, editor }} />
        </div>
      </div>
      {menu}
      {fullPage}
    </>
  );
}

interface LinesProps extends GridProps {
  readonly viewport: GridViewport;
  /** The editor of the active cell; null if it is closed. */
  readonly editor: ReactNode;
}

/** Renders the visible lines. */
function Lines({ viewport, hovered, editor, ...props }: LinesProps) {
  const { columns, matrix, active, projectId, marksOf, isFresh, revealOf, selection } = props;
  const { lines } = matrix;
  const { sizes } = viewport;
  const activeLine = lines.of(active);
  return linesShown(viewport.lines, activeLine, lines.count).map((at) => {
    const line = lines.at(at);
    const [top, position, isActive] = [at * sizes.line, lines.position(at), at === activeLine];
    if (line.kind === 'others') {
      return <InheritedHead key="others" from={props.others} count={lines.total - lines.own} top={top} />;
    }
    if (line.kind === 'group') {
      const selected = selection.hasRows ? rowsWithin(selection.range, line) : 0;
      return (
        <GroupRow
          key={`${line.top} group`}
          group={line}
          columns={columns.length}
          {...{ top, position, isActive, selected }}
        />
      );
    }
    const { row } = line;
    const selected = selection.isSeveral ? columnsInRow(selection.range, row) : null;
    return (
      <GridRow
        key={row}
        {...{ row, top, position }}
        level={lines.levelOf(row)}
        line={matrix.rowAt(row)}
        {...viewport.columns}
        active={isActive ? active.column : null}
        isChecked={selection.hasRows && selected !== null}
        selectedFrom={selected?.left ?? null}
        selectedTo={selected?.right ?? null}
        hovered={hovered?.row === row ? hovered.column : null}
        {...{ columns, projectId, marksOf, isFresh, revealOf }}
        editor={isActive ? editor : null}
      />
    );
  });
}

/** The width below which a cell shows only the most important buttons. */
const DENSE = 240;

const layoutOf = ({ name, lefts }: GridViewport['sizes'], pinned: number) =>
  ({
    '--name': `${name}px`,
    '--layout': [name, ...lefts.slice(1).map((left, at) => left - (lefts[at] ?? 0))]
      .map((size) => `${size}px`)
      .join(' '),
    '--whole': `${name + (lefts.at(-1) ?? 0)}px`,
    ...Object.fromEntries(lefts.slice(0, pinned).map((left, at) => [`--at-${at}`, `${name + left}px`])),
  }) as React.CSSProperties;

/** Returns the columns with their widths, which follow the border while it is dragged. */
function useColumnWidths({ columns, widths, columnActions: { onResize } }: GridProps) {
  const [dragged, setDragged] = useState({ widths, name: '', pixels: 0 });
  const isDragged = dragged.widths === widths;
  const sized = useMemo(
    () =>
      columns.map(({ name, isPinned }) => ({
        isPinned,
        width: isDragged && name === dragged.name ? dragged.pixels : widths.get(name),
      })),
    [columns, widths, dragged, isDragged],
  );
  const resize = useCallback(
    (name: string, pixels: number, isDone: boolean) => {
      setDragged({ widths, name, pixels: Math.max(1, pixels) });
      if (isDone) onResize(name, pixels);
    },
    [widths, onResize],
  );
  return { sized, onResize: resize };
}

/** Reports the cell below the pointer if it is another one. */
function pointAt({ target }: MouseEvent, { hovered, onPoint }: GridProps): void {
  const place = gridCellOf(target as Element);
  if (place?.row !== hovered?.row || place?.column !== hovered?.column) onPoint(place);
}

/** Reports the visible rows, and keeps the active cell visible when the grid shrinks. */
function useVisibleRows(
  { matrix, active, onVisibleRows: onSight }: GridProps,
  { lines, sizes, show }: GridViewport,
): void {
  const { first, last } = lines;
  useEffect(() => {
    const timer = setTimeout(() => onSight(first, Math.max(first, last)), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [onSight, first, last]);
  const line = matrix.lines.of(active);
  const showActive = useEffectEvent(() => show(line, active.column));
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a move or a change of size scrolls
  useEffect(() => showActive(), [line, active.column, sizes.lefts.at(-1), sizes.name]);
}

/** The time for which a row must be visible before it is loaded, so that fast scrolling loads nothing. */
const SETTLED_MS = 60;

/** Returns the rendered lines, including the active one, which must stay in the document because it has the focus. */
function linesShown({ first, last }: { readonly first: number; readonly last: number }, active: number, count: number) {
  const shown = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
  if (active >= count || (active >= first && active <= last)) return shown;
  return active < first ? [active, ...shown] : [...shown, active];
}
