import { type MouseEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import styles from './grid.module.css';
import { GridHead, OthersHead } from './grid-head.tsx';
import type { GridProps } from './grid-props.ts';
import { GridRow } from './grid-row.tsx';
import type { GridPosition } from './grid-types.ts';
import { gridCellOf, useGridInteractions } from './use-grid-interactions.tsx';
import { useViewport } from './use-viewport.ts';

/** Parameters by environments. Only what is in sight exists; the keyboard reaches everything. */
export function Grid(props: GridProps) {
  const { columns, matrix, active, projectId, marksOf, isFresh, onPoint } = props;
  const { lines } = matrix;
  const scroller = useRef<HTMLDivElement>(null);
  const sight = useViewport(scroller, lines.count, columns.length, props.hasFoot);
  const [pointed, setPointed] = useState<GridPosition | null>(null);
  const move = (place: GridPosition) => {
    setPointed(null);
    props.onMove(place);
  };
  const hands = useGridInteractions({ ...props, onMove: move }, scroller, sight);
  const { sizes } = sight;

  useFollowing(props, sight);

  const point = (event: MouseEvent) => {
    const place = gridCellOf(event.target as Element);
    if (place?.row === pointed?.row && place?.column === pointed?.column) return;
    setPointed(place);
    onPoint(place);
  };
  const leave = () => {
    setPointed(null);
    onPoint(null);
  };
  const shown = linesShown(sight.lines, lines.of(active.row), lines.count);
  return (
    <div
      ref={scroller}
      className={styles.scroller}
      role="grid"
      aria-label={props.label}
      aria-rowcount={lines.total + 1}
      aria-colcount={columns.length + 1}
      aria-busy={matrix.isPending}
      style={
        {
          '--name': `${sizes.name}px`,
          '--layout': `${sizes.name}px repeat(${columns.length}, ${sizes.column}px)`,
          '--whole': `${sizes.name + sizes.column * columns.length}px`,
        } as React.CSSProperties
      }
      onPointerMove={point}
      onPointerLeave={leave}
      onKeyDown={hands.onKeyDown}
      onClick={hands.onClick}
      onDoubleClick={hands.onDoubleClick}
    >
      <GridHead columns={columns} active={active.column} />
      <div role="rowgroup" className={styles.body} style={{ blockSize: lines.count * sizes.line + sizes.foot }}>
        {shown.map((at) => {
          const line = lines.at(at);
          const top = at * sizes.line;
          if (line.kind === 'others') {
            return <OthersHead key="others" from={props.others} count={lines.total - lines.own} top={top} />;
          }
          const { row } = line;
          return (
            <GridRow
              key={row}
              row={row}
              top={top}
              line={matrix.rowAt(row)}
              columns={columns}
              first={sight.columns.first}
              last={sight.columns.last}
              projectId={projectId}
              active={active.row === row ? active.column : null}
              pointed={pointed?.row === row ? pointed.column : null}
              marksOf={marksOf}
              isFresh={isFresh}
              revealOf={props.revealOf}
              editor={active.row === row ? hands.editor : null}
            />
          );
        })}
      </div>
    </div>
  );
}

/** Has those rows read that are in sight, and keeps the active cell there, also when the grid gets smaller. */
function useFollowing(
  { matrix, active, onSight }: GridProps,
  { lines, sizes, show }: ReturnType<typeof useViewport>,
): void {
  const { first, last } = lines;
  useEffect(() => {
    const timer = setTimeout(() => onSight(first, Math.max(first, last)), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [onSight, first, last]);
  const line = matrix.lines.of(active.row);
  const showActive = useEffectEvent(() => show(line, active.column));
  // biome-ignore lint/correctness/useExhaustiveDependencies: a move or another size scrolls, nothing else does
  useEffect(() => showActive(), [line, active.column, sizes.column, sizes.name]);
}

/** Rows that fly by are not read. */
const SETTLED_MS = 60;

/** The active row exists for as long as it has the focus, also when it was scrolled away. */
function linesShown({ first, last }: { readonly first: number; readonly last: number }, active: number, count: number) {
  const shown = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
  if (active >= count || (active >= first && active <= last)) return shown;
  return active < first ? [active, ...shown] : [...shown, active];
}
