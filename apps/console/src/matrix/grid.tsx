import {
  type KeyboardEvent,
  type MouseEvent,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { Draft, DraftWish } from '../drafts/draft.ts';
import type { SecretPlace } from '../explain/reveal.tsx';
import { type MatrixLine, textToEdit } from './cell.ts';
import { Editor, type ThenGo } from './editor.tsx';
import styles from './grid.module.css';
import { GridHead, OthersHead } from './grid-head.tsx';
import { GridRow } from './grid-row.tsx';
import type { ColumnOfGrid, GridPlace } from './grid-types.ts';
import { commandOf } from './keys.ts';
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
  readonly refusalOf: (line: MatrixLine, column: ColumnOfGrid) => string | undefined;
  /** Where the text of a secret can be read. */
  readonly revealOf: (line: MatrixLine, column: ColumnOfGrid) => SecretPlace;
  /** Why a cell cannot be written; null where it can. */
  readonly whyNot: (line: MatrixLine, column: ColumnOfGrid) => string | null;
  onMove(place: GridPlace): void;
  /** The cell that the pointer is at, or none. */
  onPoint(place: GridPlace | null): void;
  onStage(place: GridPlace, wish: DraftWish): void;
  onExplain(): void;
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
  const { columns, matrix, active, projectId, draftOf, refusalOf, onPoint } = props;
  const { lines } = matrix;
  const scroller = useRef<HTMLDivElement>(null);
  const sight = useSight(scroller, lines.count, columns.length, props.hasFoot);
  const [pointed, setPointed] = useState<GridPlace | null>(null);
  const hands = useHands(props, scroller, sight);
  const { sizes } = sight;

  useFollowing(props, scroller, sight);

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
              draftOf={draftOf}
              refusalOf={refusalOf}
              revealOf={props.revealOf}
              editor={active.row === row ? hands.editor : null}
            />
          );
        })}
      </div>
    </div>
  );
}

/** Has those rows read that are in sight, and keeps what is looked at there when the grid gets smaller. */
function useFollowing(
  { matrix, active, onSight }: GridProps,
  scroller: React.RefObject<HTMLDivElement | null>,
  { lines, sizes, show }: ReturnType<typeof useSight>,
): void {
  const { first, last } = lines;
  useEffect(() => {
    const timer = setTimeout(() => onSight(first, Math.max(first, last)), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [onSight, first, last]);
  useEffect(() => {
    if (scroller.current?.contains(document.activeElement)) show(matrix.lines.of(active.row), active.column);
  }, [sizes.column, sizes.name]);
}

/** Rows that fly by are not read. */
const SETTLED_MS = 60;

/** The active row exists for as long as it has the focus, also when it was scrolled away. */
function linesShown({ first, last }: { readonly first: number; readonly last: number }, active: number, count: number) {
  const shown = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
  if (active >= count || (active >= first && active <= last)) return shown;
  return active < first ? [active, ...shown] : [...shown, active];
}

interface Editing {
  /** What was typed to begin with; null to go on with the present text. */
  readonly typed: string | null;
  readonly present: { readonly text: string; readonly dynamic: boolean };
}

/** What keys and clicks do, and what is written into the active cell. */
function useHands(
  props: GridProps,
  scroller: React.RefObject<HTMLDivElement | null>,
  sight: ReturnType<typeof useSight>,
) {
  const { columns, matrix, active, onMove, onExplain, onUndo, onRedo, onRefuse, onStage, whyNot } = props;
  const [editing, setEditing] = useState<Editing | null>(null);
  const wantsFocus = useRef(false);
  const line = matrix.rowAt(active.row);
  const column = columns[active.column];

  useLayoutEffect(() => {
    if (!wantsFocus.current || editing) return;
    wantsFocus.current = false;
    activeCell(scroller.current)?.focus({ preventScroll: true });
  });
  const focus = useCallback(() => {
    activeCell(scroller.current)?.focus({ preventScroll: true });
  }, [scroller]);

  const moveTo = (row: number, at: number) => {
    const place = { row: clamp(row, matrix.lines.total - 1), column: clamp(at, columns.length - 1) };
    sight.show(matrix.lines.of(place.row), place.column);
    wantsFocus.current = true;
    onMove(place);
  };
  /** Says why, where a cell cannot be written. */
  const mayWrite = (): boolean => {
    if (!line || !column) return false;
    const reason = whyNot(line, column);
    if (reason !== null) onRefuse(reason);
    return reason === null;
  };
  const edit = (typed: string | null) => {
    const present = line && column && presentText(props, line, column);
    if (present && mayWrite()) setEditing({ typed, present });
  };
  useImperativeHandle(props.handle, () => ({ focus, edit: () => edit(null) }));

  const finish = (wish: DraftWish | null, then: ThenGo) => {
    setEditing(null);
    if (wish) onStage(active, wish);
    const [down, right] = { stay: [0, 0], down: [1, 0], right: [0, 1], left: [0, -1] }[then] as [number, number];
    // A click elsewhere has moved the focus already.
    if (
      then !== 'stay' ||
      document.activeElement === document.body ||
      scroller.current?.contains(document.activeElement)
    ) {
      moveTo(active.row + down, active.column + right);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // A button in a cell has keys of its own.
    if (editing || (event.target as Element).matches('button')) return;
    const command = commandOf(event, sight.page);
    if (!command) return;
    event.preventDefault();
    switch (command.kind) {
      case 'move':
        return moveTo(active.row + command.rows, active.column + command.columns);
      case 'edit':
        return edit(command.typed);
      case 'unset':
        return void (mayWrite() && onStage(active, { kind: 'unset' }));
      case 'explain':
        return onExplain();
      case 'undo':
        return onUndo();
      case 'redo':
        return onRedo();
    }
  };
  const onClick = (event: MouseEvent) => {
    const place = placeOf(event.target as Element);
    if (!place || isInEditor(event)) return;
    const isTouch = (event.nativeEvent as PointerEvent).pointerType === 'touch';
    // A telephone has no space bar: what is tapped twice is explained.
    if (isTouch && place.row === active.row && place.column === active.column) onExplain();
    else moveTo(place.row, place.column);
  };
  const onDoubleClick = (event: MouseEvent) => {
    if (placeOf(event.target as Element) && !isInEditor(event)) edit(null);
  };
  const editor = editing && line && column && (
    <Editor line={line} label={`${line.name} in ${column.name}`} {...editing} onDone={finish} />
  );
  return { editor, onKeyDown, onClick, onDoubleClick };
}

/** A draft is gone on with; else what applies. */
function presentText({ draftOf }: GridProps, line: MatrixLine, column: ColumnOfGrid) {
  const wish = draftOf(line, column)?.wish;
  const cell = line.cells[column.at];
  if (wish?.kind === 'set') return { text: wish.text, dynamic: wish.dynamic };
  return cell ? textToEdit(cell) : null;
}

const activeCell = (grid: HTMLElement | null) => grid?.querySelector<HTMLElement>('[role="gridcell"][tabindex="0"]');

const isInEditor = (event: MouseEvent) => (event.target as Element).closest('textarea, label, button') !== null;

function placeOf(target: Element): GridPlace | null {
  const cell = target.closest<HTMLElement>('[data-column]');
  const row = target.closest<HTMLElement>('[data-row]');
  return cell && row ? { row: Number(row.dataset.row), column: Number(cell.dataset.column) } : null;
}

const clamp = (value: number, high: number) => Math.max(0, Math.min(high, value));
