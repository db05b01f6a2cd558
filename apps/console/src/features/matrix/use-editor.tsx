import { Suspense, useRef } from 'react';
import { chooseDisplay, editableText, type MatrixRow } from '../../data/cell.ts';
import type { DraftEdit } from '../../lib/draft.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import { Editor, FullPageEditor } from './editor.tsx';
import { type EditedValue, type EditorText, type FocusAfterEdit, NOTHING_TYPED } from './editor-box.tsx';
import type { GridData } from './grid-data.ts';
import type { GridProps } from './grid-props.ts';
import { type GridEditing, warn } from './grid-state.ts';
import type { DraftTarget } from './use-cell-actions.ts';

const FullValue = lazyPart(async () => (await import('../../kit/editing/full-value.tsx')).FullValue);

/** Opens the editor in the active cell or on the full page, and stores its result as a draft. */
export function useEditor(props: GridProps) {
  const { state, dispatch, data } = props;
  const { editing } = state;
  /** The typed text, which survives when the row moves and the editor is mounted again. */
  const soFar = useRef<EditorText>({ ...NOTHING_TYPED });
  const open = (next: GridEditing) => dispatch({ kind: 'openEditor', editing: next });
  const edit = (target: DraftTarget | null, firstCharacter: string | null, mode: 'cell' | 'page' = 'cell') => {
    const initial = target && findInitialText(data, target);
    if (!initial || !mayEdit(props, target)) return;
    soFar.current = { ...NOTHING_TYPED };
    open({ mode, target, typed: firstCharacter, initial });
  };
  const openFullPage = (target: DraftTarget | null) => {
    if (!target) return;
    const { line, column } = target;
    if (data.drafting.whyNot(line, column) === null) edit(target, null, 'page');
    else if (findShownText(target) !== null || isStoredSecret(target)) open({ mode: 'view', target });
    else warn(dispatch, `${line.name} has no text in ${column.name}.`);
  };
  if (!editing) return { edit, openFullPage, editor: null, fullPage: null };

  const { target } = editing;
  const finish = (change: DraftEdit | null, focus: FocusAfterEdit) => {
    dispatch({ kind: 'finishEditing', focus });
    if (change) data.drafting.stage(target, change);
  };
  const label = withVisibleCharacters(`${target.line.name} in ${target.column.name}`);
  if (editing.mode === 'view') {
    const onClose = () => finish(null, 'stay');
    const fullPage = (
      <Suspense>
        <FullValue {...{ label, onClose }} text={findShownText(target)} secret={findSecret(data, target, '')} />
      </Suspense>
    );
    return { edit, openFullPage, editor: null, fullPage };
  }
  const { mode, typed, initial } = editing;
  const value = describeValue(data.project.id, target.line);
  const editorProps = { value, label, initial, typed, soFar: soFar.current, onDone: finish };
  const isLast = state.active.column === data.columns.length - 1;
  const editor = mode === 'cell' && (
    <Editor {...editorProps} isLast={isLast} onFullPage={() => open({ ...editing, mode: 'cellAndPage' })} />
  );
  const onBack = (isChanged: boolean) =>
    isChanged || mode === 'cellAndPage' ? open({ ...editing, mode: 'cell' }) : finish(null, 'stay');
  const fullPage = mode !== 'cell' && (
    <Suspense>
      <FullPageEditor {...{ ...editorProps, onBack }} secret={findSecret(data, target, initial.text)} />
    </Suspense>
  );
  return { edit, openFullPage, editor: editor || null, fullPage };
}

/** Returns whether a cell can be edited, and shows the reason if it cannot. */
export function mayEdit({ data, dispatch }: GridProps, target: DraftTarget | null): target is DraftTarget {
  if (!target) return false;
  const reason = data.drafting.whyNot(target.line, target.column);
  if (reason !== null) warn(dispatch, reason);
  return reason === null;
}

/** Returns the text that a cell shows; null if it shows none, as for a secret. */
function findShownText({ line, column }: DraftTarget): string | null {
  const cell = line.cells[column.at];
  const display = cell && chooseDisplay(cell);
  return display && 'text' in display ? display.text : null;
}

const isStoredSecret = ({ line, column }: DraftTarget): boolean => {
  const cell = line.cells[column.at];
  return cell !== undefined && chooseDisplay(cell).kind === 'secret';
};

/** Returns the location of a secret that the editor does not contain yet; null if there is none. */
const findSecret = ({ revealOf }: GridData, target: DraftTarget, text: string) =>
  text === '' && isStoredSecret(target) ? revealOf(target.line, target.column) : null;

/** Returns the text to edit: that of the draft, or else the effective value. */
function findInitialText({ drafting }: GridData, { line, column }: DraftTarget) {
  const edit = drafting.draftOf(line, column)?.edit;
  const cell = line.cells[column.at];
  if (edit?.kind === 'set') return { text: edit.text, dynamic: edit.dynamic };
  return cell ? editableText(cell) : null;
}

/** An override has the type of the overridden parameter, but not the rules of its own. */
function describeValue(projectId: string, { name, secret, type, projectId: ownerId }: MatrixRow): EditedValue {
  const parameter = ownerId === projectId ? { projectId, name } : null;
  return { projectId, name, isSecret: secret, rules: { type, parameter } };
}
