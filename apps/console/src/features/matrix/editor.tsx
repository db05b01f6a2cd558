import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { MatrixRow } from '../../data/cell.ts';
import type { DraftEdit } from '../../lib/draft.ts';
import styles from './editor.module.css';

/** The movement of the focus after an edit; `leave` if the focus has already left the grid. */
export type FocusAfterEdit = 'stay' | 'leave' | 'down' | 'right' | 'left';

interface EditorProps {
  readonly line: MatrixRow;
  readonly label: string;
  /** The draft or the stored value to edit. */
  readonly present: { readonly text: string; readonly dynamic: boolean };
  /** The character that opened the editor; null if the editor starts with the present text. */
  readonly typed: string | null;
  /** The typed text, which survives when the editor is mounted again. */
  readonly soFar: { text: string | null };
  /** Whether the cell is in the last column, where the editor extends to the left. */
  readonly isLast: boolean;
  /** Called when the user has finished. `edit` is null if the cell does not change. */
  onDone(edit: DraftEdit | null, then: FocusAfterEdit): void;
}

/**
 * Edits the value of a cell. Enter and Tab save the draft, Escape cancels. The field is uncontrolled, because React would write the typed
 * text, including secrets, into the document.
 */
export function Editor({ line, label, present, typed, soFar, isLast, onDone }: EditorProps) {
  const box = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const [dynamic, setDynamic] = useState(present.dynamic);
  const [mayBeDynamic, setMayBeDynamic] = useState(present.dynamic);
  const isDone = useRef(false);
  useInitialText(field, soFar.text ?? typed, present.text);

  const done = (edit: DraftEdit | null, then: FocusAfterEdit) => {
    if (isDone.current) return;
    isDone.current = true;
    onDone(edit, then);
  };
  const save = (then: FocusAfterEdit) => {
    const text = field.current?.value ?? '';
    // An unchanged field must not replace a stored secret with an empty text.
    const isUntouched = typed === null && text === present.text && dynamic === present.dynamic;
    done(isUntouched ? null : { kind: 'set', text, dynamic: dynamic && text.includes('{') }, then);
  };
  const focusOptions = () => box.current?.querySelector<HTMLElement>('input, button')?.focus();

  return (
    <div
      ref={box}
      role="group"
      aria-label={label}
      className={styles.box}
      data-end={isLast || undefined}
      onBlur={({ relatedTarget }) => {
        if (!box.current?.contains(relatedTarget)) save('leave');
      }}
      onKeyDown={({ key }) => {
        if (key === 'Escape') done(null, 'stay');
        if (key === 'ArrowUp') field.current?.focus();
      }}
    >
      <textarea
        ref={field}
        rows={1}
        className={styles.field}
        data-secret={line.secret || undefined}
        aria-label={label}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        onInput={({ currentTarget: { value } }) => {
          soFar.text = value;
          setMayBeDynamic(/\{[{%]/.test(value));
        }}
        onKeyDown={(event) => {
          event.stopPropagation();
          // Enter with Alt or Shift adds a line break. Input methods use Enter to end a composition.
          if ((event.key === 'Enter' && (event.altKey || event.shiftKey)) || event.nativeEvent.isComposing) return;
          if (event.key === 'Enter') save('down');
          else if (event.key === 'Tab') save(event.shiftKey ? 'left' : 'right');
          else if (event.key === 'Escape') done(null, 'stay');
          else if (event.key === 'ArrowDown' && !event.currentTarget.value.includes('\n')) focusOptions();
          else return;
          event.preventDefault();
        }}
      />
      <EditorOptions
        isSecret={line.secret}
        dynamic={mayBeDynamic ? dynamic : null}
        onDynamic={setDynamic}
        onNull={() => done({ kind: 'null' }, 'stay')}
      />
    </div>
  );
}

/** Focuses the field, with the typed text or with the present text selected. */
function useInitialText(field: React.RefObject<HTMLTextAreaElement | null>, typed: string | null, present: string) {
  const fill = useEffectEvent((element: HTMLTextAreaElement) => {
    element.value = typed ?? present;
    element.focus({ preventScroll: true });
    // The editor is higher than the cell.
    element.parentElement?.scrollIntoView({ block: 'nearest' });
    if (typed === null) element.select();
    else element.setSelectionRange(typed.length, typed.length);
  });
  useEffect(() => {
    if (field.current) fill(field.current);
  }, [field]);
}

interface EditorOptionsProps {
  readonly isSecret: boolean;
  /** Whether the text is dynamic; null if it has no references. */
  readonly dynamic: boolean | null;
  onDynamic(dynamic: boolean): void;
  onNull(): void;
}

function EditorOptions({ isSecret, dynamic, onDynamic, onNull }: EditorOptionsProps) {
  return (
    <div className={styles.strip}>
      {isSecret && <span className={styles.note}>Held in this tab until you apply.</span>}
      {dynamic !== null && (
        <label className={styles.choice}>
          <input type="checkbox" checked={dynamic} onChange={({ target }) => onDynamic(target.checked)} />
          resolve {'{{ references }}'}
        </label>
      )}
      <button type="button" className={styles.choice} onClick={onNull}>
        set to null
      </button>
      <span className={styles.keys} aria-hidden>
        <kbd>Enter</kbd> saves draft <kbd>Esc</kbd> cancels
      </span>
    </div>
  );
}
