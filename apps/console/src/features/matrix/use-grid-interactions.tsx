import {
  type KeyboardEvent,
  type MouseEvent,
  useCallback,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { type MatrixLine, textToEdit } from '../../data/cell.ts';
import type { DraftEdit } from '../../lib/draft.ts';
import { spelledOut } from '../../ui/spelled-out.ts';
import { Editor, type ThenGo } from './editor.tsx';
import type { GridProps } from './grid-props.ts';
import type { ColumnOfGrid, GridPosition } from './grid-types.ts';
import { commandOf, type GridCommand } from './keys.ts';
import type { DraftTarget } from './use-drafting.ts';
import type { useViewport } from './use-viewport.ts';

interface Editing {
  /** What is written into, as it was when that began: rows may move meanwhile, and others may change what is there. */
  readonly target: DraftTarget;
  /** What was typed so far: the editor is made anew where its row moves. */
  readonly soFar: { text: string | null };
  /** What was typed to begin with; null to go on with the present text. */
  readonly typed: string | null;
  readonly present: { readonly text: string; readonly dynamic: boolean };
}

/** Rows and columns to go on once something was written. */
const AFTER = { stay: [0, 0], down: [1, 0], right: [0, 1], left: [0, -1] } as const;

/** What keys and clicks do, and what is written into the active cell. */
export function useGridInteractions(
  props: GridProps,
  scroller: React.RefObject<HTMLDivElement | null>,
  sight: ReturnType<typeof useViewport>,
) {
  const { columns, matrix, active, onMove, onExplain, onClose, onUndo, onRedo, onRefuse, onStage, whyNot } = props;
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
  const targetAt = (): DraftTarget | null =>
    line && column ? { line, column, revision: matrix.revisionAt(active.row) } : null;
  const edit = (typed: string | null) => {
    const target = targetAt();
    const present = target && presentText(props, target.line, target.column);
    if (present && mayWrite()) setEditing({ target, soFar: { text: null }, typed, present });
  };
  useImperativeHandle(props.handle, () => ({ focus, edit: () => edit(null) }));

  const finish = (wish: DraftEdit | null, then: ThenGo) => {
    setEditing(null);
    if (wish && editing) onStage(editing.target, wish);
    if (then === 'leave') return;
    const [down, right] = AFTER[then];
    moveTo(active.row + down, active.column + right);
  };
  const carryOut = (command: GridCommand) => {
    if (command.kind === 'move') moveTo(active.row + command.rows, active.column + command.columns);
    else if (command.kind === 'edit') edit(command.typed);
    else if (command.kind === 'unset') {
      const target = targetAt();
      if (target && mayWrite()) onStage(target, { kind: 'unset' });
    } else ({ explain: onExplain, close: onClose, undo: onUndo, redo: onRedo })[command.kind]();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (editing) return;
    // A button in a cell is pressed by these.
    if ((event.target as Element).matches('button') && (event.key === 'Enter' || event.key === ' ')) return;
    const command = commandOf(event, sight.page);
    if (!command) return;
    event.preventDefault();
    carryOut(command);
  };
  const onClick = (event: MouseEvent) => {
    const place = gridCellOf(event.target as Element);
    if (!place || isInEditor(event)) return;
    const isTouch = (event.nativeEvent as PointerEvent).pointerType === 'touch';
    // A telephone has no space bar: what is tapped twice is explained.
    if (isTouch && place.row === active.row && place.column === active.column) onExplain();
    else moveTo(place.row, place.column);
  };
  const onDoubleClick = (event: MouseEvent) => {
    if (gridCellOf(event.target as Element) && !isInEditor(event)) edit(null);
  };
  const editor = editing && (
    <Editor
      {...editing}
      line={editing.target.line}
      label={spelledOut(`${editing.target.line.name} in ${editing.target.column.name}`)}
      isLast={active.column === columns.length - 1}
      onDone={finish}
    />
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

/** The cell that an element of the page is part of. */
export function gridCellOf(target: Element): GridPosition | null {
  const cell = target.closest<HTMLElement>('[data-column]');
  const row = target.closest<HTMLElement>('[data-row]');
  return cell && row ? { row: Number(row.dataset.row), column: Number(cell.dataset.column) } : null;
}

const clamp = (value: number, high: number) => Math.max(0, Math.min(high, value));
