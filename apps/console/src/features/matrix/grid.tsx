import { type ReactNode, useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import { columnsInRow, rowsWithin } from './cell-range.ts';
import styles from './grid.module.css';
import { GridHead } from './grid-head.tsx';
import { GroupRow, InheritedHeading } from './grid-headings.tsx';
import type { GridProps } from './grid-props.ts';
import { GridRow } from './grid-row.tsx';
import { hasSelectedRows, hasSelection, selectedRange } from './grid-state.ts';
import { useGridInteractions } from './use-grid-interactions.tsx';
import { type GridViewport, useViewport } from './use-viewport.ts';

/** Renders parameters by environments. Only visible rows and columns are in the document, but the keyboard reaches all cells. */
export function Grid(props: GridProps) {
  const { state, dispatch, data } = props;
  const { project, columns, matrix } = data;
  const { lines } = matrix;
  const scroller = useRef<HTMLDivElement>(null);
  const { sized, onResize } = useColumnWidths(props);
  const viewport = useViewport(scroller, lines.count, sized, props);
  const { editor, fullPage, menu, handlers } = useGridInteractions(props, scroller, viewport);
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
        aria-label={withVisibleCharacters(
          `Parameters of ${project.name}, with the effective value in each environment`,
        )}
        aria-rowcount={lines.position(lines.count - 1) + 1}
        aria-colcount={columns.length + 1}
        aria-multiselectable
        aria-busy={matrix.isPending || matrix.isOld}
        data-selecting={hasSelectedRows(state) || undefined}
        data-dense={sizes.narrowest < DENSE || undefined}
        style={createLayout(sizes, viewport.columns.pinned)}
        {...handlers}
      >
        <GridHead
          {...props.columnActions}
          {...{ state, dispatch, onResize }}
          total={matrix.isPending ? 0 : lines.total}
        />
        {props.lead}
        <div role="rowgroup" className={styles.body} style={{ blockSize: lines.count * sizes.line + sizes.foot }}>
          <Lines {...{ state, data, viewport, editor }} />
        </div>
      </div>
      {menu}
      {fullPage}
    </>
  );
}

interface LinesProps extends Pick<GridProps, 'state' | 'data'> {
  readonly viewport: GridViewport;
  /** The editor of the active cell; null if it is closed. */
  readonly editor: ReactNode;
}

/** Renders the visible lines. */
function Lines({ viewport, editor, state, data }: LinesProps) {
  const { project, columns, matrix, drafting, isFresh, revealOf } = data;
  const { active, hovered } = state;
  const { lines } = matrix;
  const { sizes } = viewport;
  const activeLine = lines.of(active);
  const range = selectedRange(state);
  const [isSelecting, hasRows] = [hasSelection(state), hasSelectedRows(state)];
  return linesShown(viewport.lines, activeLine, lines.count).map((at) => {
    const line = lines.at(at);
    const [top, position, isActive] = [at * sizes.line, lines.position(at), at === activeLine];
    if (line.kind === 'others') {
      const from = project.dependsOnName ?? 'other projects';
      return <InheritedHeading key="others" from={from} count={lines.total - lines.ownCount} top={top} />;
    }
    if (line.kind === 'group') {
      const selected = hasRows ? rowsWithin(range, line) : 0;
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
    const selected = isSelecting ? columnsInRow(range, row) : null;
    return (
      <GridRow
        key={row}
        {...{ row, top, position, columns, isFresh, revealOf }}
        projectId={project.id}
        marksOf={drafting.marksOf}
        level={lines.findLevel(row)}
        line={matrix.rowAt(row)}
        {...viewport.columns}
        active={isActive ? active.column : null}
        isChecked={hasRows && selected !== null}
        selectedFrom={selected?.left ?? null}
        selectedTo={selected?.right ?? null}
        hovered={hovered?.row === row ? hovered.column : null}
        editor={isActive ? editor : null}
      />
    );
  });
}

/** The width below which a cell shows only the most important buttons. */
const DENSE = 240;

const createLayout = ({ name, lefts }: GridViewport['sizes'], pinned: number) =>
  ({
    '--name': `${name}px`,
    '--layout': [name, ...lefts.slice(1).map((left, at) => left - (lefts[at] ?? 0))]
      .map((size) => `${size}px`)
      .join(' '),
    '--whole': `${name + (lefts.at(-1) ?? 0)}px`,
    ...Object.fromEntries(lefts.slice(0, pinned).map((left, at) => [`--at-${at}`, `${name + left}px`])),
  }) as React.CSSProperties;

/** Returns the columns with their widths, which follow the border while it is dragged. */
function useColumnWidths({ data: { columns, widths }, columnActions: { onResize } }: GridProps) {
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

/** Reports the visible rows, and keeps the active cell visible when the grid shrinks. */
function useVisibleRows(
  { data: { matrix }, state: { active }, onVisibleRows }: GridProps,
  { lines, sizes, show }: GridViewport,
): void {
  const { first, last } = lines;
  useEffect(() => {
    const timer = setTimeout(() => onVisibleRows(first, Math.max(first, last)), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [onVisibleRows, first, last]);
  const line = matrix.lines.of(active);
  const showActive = useEffectEvent(() => show(line, active.column));
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a move or a change of size scrolls
  useEffect(() => showActive(), [line, active.column, sizes.lefts.at(-1), sizes.name]);
}

/** The time for which a row must be visible before it is loaded, so that fast scrolling loads nothing. */
const SETTLED_MS = 60;

/** Returns the rendered lines, including the active one, which must stay in the document because it has the focus. */
function linesShown({ first, last }: { readonly first: number; readonly last: number }, active: number, count: number) {
  const shownRows = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
  if (active >= count || (active >= first && active <= last)) return shownRows;
  return active < first ? [active, ...shownRows] : [...shownRows, active];
}
