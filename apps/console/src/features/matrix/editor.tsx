import { useEffect, useRef, useState } from 'react';
import type { MatrixLine } from '../../data/cell.ts';
import type { DraftEdit } from '../../lib/draft.ts';
import styles from './editor.module.css';

/** `leave`: the focus went elsewhere already. */
export type ThenGo = 'stay' | 'leave' | 'down' | 'right' | 'left';

interface EditorProps {
  readonly line: MatrixLine;
  readonly label: string;
  /** What there is to go on with. */
  readonly present: { readonly text: string; readonly dynamic: boolean };
  /** What was typed to begin with; null to go on with the present text. */
  readonly typed: string | null;
  /** Written as it is typed. */
  readonly soFar: { text: string | null };
  /** Whether there is room on the left only. */
  readonly isLast: boolean;
  /** Null leaves the cell as it is. */
  onDone(wish: DraftEdit | null, then: ThenGo): void;
}

/**
 * The text of a cell while it is written. Enter and Tab keep it, Escape forgets it.
 * The field is not controlled, since React would write what is typed into the document: secrets are typed here too.
 */
export function Editor({ line, label, present, typed, soFar, isLast, onDone }: EditorProps) {
  const box = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const [dynamic, setDynamic] = useState(present.dynamic);
  const [mayBeDynamic, setMayBeDynamic] = useState(present.dynamic);
  const isDone = useRef(false);

  useEffect(() => {
    const element = field.current;
    if (!element) return;
    const begun = soFar.text ?? typed;
    element.value = begun ?? present.text;
    element.focus({ preventScroll: true });
    if (begun === null) element.select();
    else element.setSelectionRange(begun.length, begun.length);
  }, [typed, present, soFar]);

  const done = (wish: DraftEdit | null, then: ThenGo) => {
    if (isDone.current) return;
    isDone.current = true;
    onDone(wish, then);
  };
  const keep = (then: ThenGo) => {
    const text = field.current?.value ?? '';
    // Nobody has typed a new secret; the one that is there stays.
    const isUntouched = typed === null && text === present.text && dynamic === present.dynamic;
    done(isUntouched ? null : { kind: 'set', text, dynamic: dynamic && text.includes('{') }, then);
  };

  const toChoices = () => box.current?.querySelector<HTMLElement>('input, button')?.focus();

  return (
    <div
      ref={box}
      role="group"
      aria-label={label}
      className={styles.box}
      data-end={isLast || undefined}
      onBlur={({ relatedTarget }) => {
        if (!box.current?.contains(relatedTarget)) keep('leave');
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
          // A line break belongs to the text; composing ends with Enter, too.
          if ((event.key === 'Enter' && (event.altKey || event.shiftKey)) || event.nativeEvent.isComposing) return;
          if (event.key === 'Enter') keep('down');
          else if (event.key === 'Tab') keep(event.shiftKey ? 'left' : 'right');
          else if (event.key === 'Escape') done(null, 'stay');
          else if (event.key === 'ArrowDown' && !event.currentTarget.value.includes('\n')) toChoices();
          else return;
          event.preventDefault();
        }}
      />
      <div className={styles.strip}>
        {line.secret && <span className={styles.note}>Held in this tab until you apply.</span>}
        {mayBeDynamic && (
          <label className={styles.choice}>
            <input type="checkbox" checked={dynamic} onChange={({ target }) => setDynamic(target.checked)} />
            resolve {'{{ references }}'}
          </label>
        )}
        <button type="button" className={styles.choice} onClick={() => done({ kind: 'null' }, 'stay')}>
          set to null
        </button>
        <span className={styles.keys} aria-hidden>
          <kbd>Enter</kbd> saves draft <kbd>Esc</kbd> cancels
        </span>
      </div>
    </div>
  );
}
