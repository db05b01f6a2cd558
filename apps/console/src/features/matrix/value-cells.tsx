import { type KeyboardEvent, Suspense, useLayoutEffect, useRef, useState } from 'react';
import { displayOfEdit } from '../../data/cell.ts';
import cells from '../../kit/cells/cell.module.css';
import { CellContent } from '../../kit/cells/cell-content.tsx';
import type { DraftEdit } from '../../lib/draft.ts';
import type { EnvironmentColumn } from '../../lib/environment-tree.ts';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import styles from './add-rows.module.css';
import { Editor, FullPageEditor } from './editor.tsx';
import {
  type EditedValue,
  type EditorProps,
  type EditorText,
  type FocusAfterEdit,
  NOTHING_TYPED,
} from './editor-box.tsx';
import type { ColumnOfGrid } from './grid-types.ts';

interface ValueCellsProps {
  readonly value: EditedValue;
  readonly columns: readonly ColumnOfGrid[];
  readonly environments: readonly EnvironmentColumn[];
  /** The edits by environment id. */
  readonly edits: ReadonlyMap<string, DraftEdit>;
  /** The ids of the environments whose edit is rejected or in conflict. */
  readonly wrong?: ReadonlySet<string>;
  /** Called with a new edit, or null to remove the current one. */
  onEdit(environmentId: string, edit: DraftEdit | null): void;
  /** Called after Enter in an editor. */
  onEnter?(environmentId: string, edit: DraftEdit | null): void;
}

/** The cells of a parameter that does not exist yet. */
export function ValueCells({ value, columns, environments, edits, wrong, onEdit, onEnter }: ValueCellsProps) {
  const [open, setOpen] = useState<OpenCell | null>(null);
  const soFar = useRef<EditorText>({ ...NOTHING_TYPED });
  const focusAt = useRef<number | null>(null);
  const buttons = useRef(new Map<number, HTMLButtonElement | null>());
  useLayoutEffect(() => {
    if (focusAt.current === null || open) return;
    buttons.current.get(focusAt.current)?.focus();
    focusAt.current = null;
  });
  const edit = (at: number, firstCharacter: string | null) => {
    soFar.current = { ...NOTHING_TYPED };
    setOpen({ at, typed: firstCharacter, isFullPage: false });
  };
  const finish = ({ id, at }: ColumnOfGrid, change: DraftEdit | null, then: FocusAfterEdit) => {
    setOpen(null);
    if (change) onEdit(id, change);
    if (then === 'leave') return;
    // Enter hands the focus over, for example to the name of the next parameter.
    if (then === 'down' && onEnter) return onEnter(id, change);
    const step = then === 'right' ? 1 : then === 'left' ? -1 : 0;
    focusAt.current = Math.max(0, Math.min(columns.length - 1, at + step));
  };
  return columns.map((column) => {
    const { id, name, at, isPinned } = column;
    const ownEdit = edits.get(id);
    const inheritedDraft = ownEdit ? undefined : inheritedEdit(column, environments, edits);
    const label = withVisibleCharacters(`${value.name || 'New parameter'} in ${name}`);
    return (
      <div
        key={id}
        role="gridcell"
        className={`${cells.cell} ${styles.cell}`}
        data-draft={wrong?.has(id) ? 'rejected' : ownEdit ? 'staged' : inheritedDraft && 'follows'}
        data-pinned={isPinned || undefined}
        style={isPinned ? { insetInlineStart: `var(--at-${at})` } : undefined}
        aria-invalid={wrong?.has(id) || undefined}
      >
        {open?.at === at ? (
          <OpenEditor
            {...{ value, label, open, setOpen }}
            initial={ownEdit?.kind === 'set' ? ownEdit : { text: '', dynamic: false }}
            soFar={soFar.current}
            isLast={at === columns.length - 1}
            onDone={(change, then) => finish(column, change, then)}
          />
        ) : (
          <ValueButton
            {...{ label, ownEdit, above: inheritedDraft }}
            isSecret={value.isSecret}
            register={(element) => void buttons.current.set(at, element)}
            onOpen={(firstCharacter) => edit(at, firstCharacter)}
            onRemove={() => onEdit(id, null)}
          />
        )}
      </div>
    );
  });
}

interface OpenCell {
  readonly at: number;
  /** The character that opened the editor. */
  readonly typed: string | null;
  readonly isFullPage: boolean;
}

interface OpenEditorProps extends Omit<EditorProps, 'typed' | 'onFullPage'> {
  readonly open: OpenCell;
  setOpen(open: OpenCell): void;
}

/** The editor of a cell, in the cell or on the full page. */
function OpenEditor({ open, setOpen, ...editor }: OpenEditorProps) {
  const { typed, isFullPage } = open;
  if (!isFullPage)
    return <Editor {...{ ...editor, typed }} onFullPage={() => setOpen({ ...open, isFullPage: true })} />;
  return (
    <Suspense>
      <FullPageEditor {...{ ...editor, typed }} secret={null} onBack={() => setOpen({ ...open, isFullPage: false })} />
    </Suspense>
  );
}

interface ValueButtonProps {
  readonly label: string;
  readonly ownEdit: DraftEdit | undefined;
  /** The edit that the cell inherits. */
  readonly above: DraftEdit | undefined;
  readonly isSecret: boolean;
  register(element: HTMLButtonElement | null): void;
  /** Opens the editor, with the character that opened it. */
  onOpen(firstCharacter: string | null): void;
  onRemove(): void;
}

/** Shows the value of a cell until it is edited. */
function ValueButton({
  label,
  ownEdit,
  above: inheritedDraft,
  isSecret,
  register,
  onOpen,
  onRemove,
}: ValueButtonProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Delete' || event.key === 'Backspace') onRemove();
    else if (event.key.length === 1 && event.key !== ' ') onOpen(event.key);
    else return;
    event.preventDefault();
  };
  return (
    <button
      ref={register}
      type="button"
      className={styles.cellButton}
      onClick={() => onOpen(null)}
      onKeyDown={onKeyDown}
    >
      <span className="heard">{label}: </span>
      <CellContent reading={displayOfEdit(ownEdit ?? inheritedDraft ?? { kind: 'create' }, isSecret)} />
      {inheritedDraft && <span className="heard">, inherited</span>}
    </button>
  );
}

/** Returns the edit of the nearest environment above. */
function inheritedEdit(
  { parentId }: EnvironmentColumn,
  environments: readonly EnvironmentColumn[],
  edits: ReadonlyMap<string, DraftEdit>,
): DraftEdit | undefined {
  const parent = environments.find(({ id }) => id === parentId);
  if (!parent) return undefined;
  const edit = edits.get(parent.id);
  return edit && edit.kind !== 'create' ? edit : inheritedEdit(parent, environments, edits);
}
