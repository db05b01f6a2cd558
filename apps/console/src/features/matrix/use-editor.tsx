import { Suspense, useState } from 'react';
import { displayOf, type MatrixRow, textToEdit } from '../../data/cell.ts';
import type { DraftEdit } from '../../lib/draft.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import { Editor, FullPageEditor } from './editor.tsx';
import { type EditedValue, type FocusAfterEdit, NOTHING_TYPED, type TypedSoFar } from './editor-box.tsx';
import type { GridProps } from './grid-props.ts';
import type { ColumnOfGrid, GridPosition } from './grid-types.ts';
import type { DraftTarget } from './use-cell-actions.ts';

const FullValue = lazyPart(async () => (await import('../../kit/editing/full-value.tsx')).FullValue);

interface Editing {
  /** The cell at the time when the editor opened. Later, rows may move and other users may change the value. */
  readonly target: DraftTarget;
  /** The typed text, which survives when its row moves and the editor is mounted again. */
  readonly soFar: TypedSoFar;
  /** The character that opened the editor; null if the editor starts with the present text. */
  readonly typed: string | null;
  readonly present: { readonly text: string; readonly dynamic: boolean };
  /** The editor that is open: in the cell, on the full page after that, or on the full page only. */
  readonly at: 'cell' | 'cellAndPage' | 'page';
}

/** The number of rows and columns that the active cell moves after an edit. */
const AFTER = { stay: [0, 0], down: [1, 0], right: [0, 1], left: [0, -1] } as const;

interface EditorContext {
  readonly target: DraftTarget | null;
  /** Returns whether the cell can be edited, and shows the reason if it cannot. */
  mayEdit(): boolean;
  moveTo(place: GridPosition): void;
}

/** Opens the editor in the active cell or on the full page, and stores its result as a draft. */
export function useEditor(props: GridProps, { target, mayEdit, moveTo }: EditorContext) {
  const { active, columns, onStage } = props;
  const [editing, setEditing] = useState<Editing | null>(null);
  const [viewed, setViewed] = useState<DraftTarget | null>(null);
  const edit = (typed: string | null, at: Editing['at'] = 'cell') => {
    const present = target && presentText(props, target.line, target.column);
    if (present && mayEdit()) setEditing({ target, soFar: { ...NOTHING_TYPED }, typed, present, at });
  };
  const openFullPage = () => {
    if (!target) return;
    if (props.whyNot(target.line, target.column) === null) edit(null, 'page');
    else if (viewedText(target) !== null || isStoredSecret(target)) setViewed(target);
    else props.onRefuse(`${target.line.name} has no text in ${target.column.name}.`);
  };
  const finish = (change: DraftEdit | null, then: FocusAfterEdit) => {
    setEditing(null);
    if (change && editing) onStage(editing.target, change);
    if (then === 'leave') return;
    const [down, right] = AFTER[then];
    moveTo({ row: props.matrix.lines.move(active, down, true).row, column: active.column + right });
  };
  const open = editing && {
    ...editing,
    value: editedValue(props.projectId, editing.target.line),
    label: labelOf(editing.target),
    onDone: finish,
  };
  const editor = open?.at === 'cell' && (
    <Editor
      {...open}
      isLast={active.column === columns.length - 1}
      onFullPage={() => setEditing({ ...open, at: 'cellAndPage' })}
    />
  );
  const fullPage = (
    <Suspense>
      {open && open.at !== 'cell' && (
        <FullPageEditor
          {...open}
          secret={revealable(props, open.target, open.present.text)}
          onBack={(isChanged) =>
            isChanged || open.at === 'cellAndPage' ? setEditing({ ...open, at: 'cell' }) : finish(null, 'stay')
          }
        />
      )}
      {viewed && (
        <FullValue
          label={labelOf(viewed)}
          text={viewedText(viewed)}
          secret={revealable(props, viewed, '')}
          onClose={() => {
            setViewed(null);
            moveTo(active);
          }}
        />
      )}
    </Suspense>
  );
  const isEditing = editing !== null || viewed !== null;
  return { edit, openFullPage, isEditing, editor: editor || null, fullPage };
}

const labelOf = ({ line, column }: DraftTarget): string => withVisibleCharacters(`${line.name} in ${column.name}`);

/** Returns the text that a cell shows; null if it shows none, as for a secret. */
function viewedText({ line, column }: DraftTarget): string | null {
  const cell = line.cells[column.at];
  const display = cell && displayOf(cell);
  return display && 'text' in display ? display.text : null;
}

const isStoredSecret = ({ line, column }: DraftTarget): boolean => {
  const cell = line.cells[column.at];
  return cell !== undefined && displayOf(cell).kind === 'secret';
};

/** Returns the location of a secret that the editor does not contain yet; null if there is none. */
const revealable = ({ revealOf }: GridProps, target: DraftTarget, text: string) =>
  text === '' && isStoredSecret(target) ? revealOf(target.line, target.column) : null;

/** Returns the text to edit: that of the draft, or else the effective value. */
function presentText({ draftOf }: GridProps, line: MatrixRow, column: ColumnOfGrid) {
  const edit = draftOf(line, column)?.edit;
  const cell = line.cells[column.at];
  if (edit?.kind === 'set') return { text: edit.text, dynamic: edit.dynamic };
  return cell ? textToEdit(cell) : null;
}

/** An override has the type of the overridden parameter, but not the rules of its own. */
function editedValue(projectId: string, { name, secret, type, projectId: ownerId }: MatrixRow): EditedValue {
  const parameter = ownerId === projectId ? { projectId, name } : null;
  return { projectId, name, isSecret: secret, rules: { type, parameter } };
}
