import { type MouseEvent, useEffect, useRef, useState } from 'react';
import type { MatrixLine } from '../../data/cell.ts';
import type { SecretPlace } from '../../kit/reveal/reveal.tsx';
import type { Draft, DraftWish } from '../../lib/draft.ts';
import styles from './grid.module.css';
import { GridHead, OthersHead } from './grid-head.tsx';
import { GridRow } from './grid-row.tsx';
import type { ColumnOfGrid, GridPlace } from './grid-types.ts';
import type { CellMarks, DraftTarget } from './use-drafting.ts';
import { placeOf, useHands } from './use-hands.tsx';
import type { MatrixRead } from './use-matrix.ts';
import { useSight } from './use-sight.ts';

export interface GridProps {
  readonly label: string;
  readonly projectId: string;
  /** Where rows that the project does not own come from. */
  readonly others: string;
  readonly columns: readonly ColumnOfGrid[];
  readonly matrix: MatrixRead;
  readonly active: GridPlace;
  readonly draftOf: (line: MatrixLine, column: ColumnOfGrid) => Draft | undefined;
  readonly marksOf: (line: MatrixLine, column: ColumnOfGrid) => CellMarks;
  /** Whether it reads otherwise than a moment ago. */
  readonly isFresh: (line: MatrixLine, column: ColumnOfGrid) => boolean;
  /** Where the text of a secret can be read. */
  readonly revealOf: (line: MatrixLine, column: ColumnOfGrid) => SecretPlace;
  /** Why a cell cannot be written; null where it can. */
  readonly whyNot: (line: MatrixLine, column: ColumnOfGrid) => string | null;
  onMove(place: GridPlace): void;
  /** The cell that the pointer is at, or none. */
  onPoint(place: GridPlace | null): void;
  onStage(target: DraftTarget, wish: DraftWish): void;
  onExplain(): void;
  /** Stops explaining. */
  onClose(): void;
  onUndo(): void;
  onRedo(): void;
  onRefuse(words: string): void;
  /** The rows that should be read. */
  onSight(first: number, last: number): void;
  /** Whether something floats above the last lines. */
  readonly hasFoot: boolean;
  readonly handle: React.Ref<GridHandle>;
}

/** What others may ask of the grid. */
export interface GridHandle {
  focus(): void;
  edit(): void;
}

/** Parameters by environments. Only what is in sight exists; the keyboard reaches everything. */
export function Grid(props: GridProps) {
  const { columns, matrix, active, projectId, marksOf, isFresh, onPoint } = props;
  const { lines } = matrix;
  const scroller = useRef<HTMLDivElement>(null);
  const sight = useSight(scroller, lines.count, columns.length, props.hasFoot);
  const [pointed, setPointed] = useState<GridPlace | null>(null);
  const move = (place: GridPlace) => {
    setPointed(null);
    props.onMove(place);
  };
  const hands = useHands({ ...props, onMove: move }, scroller, sight);
  const { sizes } = sight;

  useFollowing(props, sight);

  const point = (event: MouseEvent) => {
    const place = placeOf(event.target as Element);
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
  { lines, sizes, show }: ReturnType<typeof useSight>,
): void {
  const { first, last } = lines;
  useEffect(() => {
    const timer = setTimeout(() => onSight(first, Math.max(first, last)), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [onSight, first, last]);
  const line = matrix.lines.of(active.row);
  useEffect(() => show(line, active.column), [line, active.column, sizes.column, sizes.name]);
}

/** Rows that fly by are not read. */
const SETTLED_MS = 60;

/** The active row exists for as long as it has the focus, also when it was scrolled away. */
function linesShown({ first, last }: { readonly first: number; readonly last: number }, active: number, count: number) {
  const shown = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
  if (active >= count || (active >= first && active <= last)) return shown;
  return active < first ? [active, ...shown] : [...shown, active];
}
