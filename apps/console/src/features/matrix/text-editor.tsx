import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { generatedSecret } from '../../lib/generated-secret.ts';
import type { ValueRules } from '../../lib/value-rules.ts';
import { UserText } from '../../ui/user-text.tsx';
import styles from './editor.module.css';
import { EditorBox, type EditorProps, type FocusAfterEdit } from './editor-box.tsx';
import { SuggestionList, useSuggestions } from './suggestions.tsx';
import { useSaving } from './use-saving.ts';
import { useTextCheck } from './use-text-check.ts';

interface TextEditorProps extends EditorProps {
  /** The rules of the value; null until they are loaded. */
  readonly rules: ValueRules | null;
}

/**
 * Edits a value as text. Enter and Tab save the draft, Escape cancels. The first attempt to save an invalid text shows the reason, the second
 * one saves it. The field is uncontrolled, because React would write the typed text, including secrets, into the document.
 */
export function TextEditor(props: TextEditorProps) {
  const { value, label, isLast, onDone, onFullPage } = props;
  const id = useId();
  const suggestionStrip = useRef<HTMLDivElement>(null);
  const { field, check, suggestions, isRejected, write, save } = useTextEditing(props);
  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>): boolean => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onFullPage();
    else if (suggestions.onKey(event.key)) return true;
    else if (event.key === 'Enter') save('down');
    else if (event.key === 'Tab') save(event.shiftKey ? 'left' : 'right');
    else if (event.key === 'Escape') onDone(null, 'stay');
    else if (event.key === 'ArrowDown' && !event.currentTarget.value.includes('\n'))
      focusFirst(suggestionStrip.current);
    else return false;
    return true;
  };
  return (
    <EditorBox
      {...{ label, isLast }}
      onLeave={() => save('leave')}
      onCancel={() => onDone(null, 'stay')}
      onUp={() => field.current?.focus()}
    >
      <textarea
        ref={field}
        rows={1}
        className={styles.field}
        data-secret={value.isSecret || undefined}
        aria-label={label}
        aria-invalid={check.problems.length > 0 || undefined}
        aria-describedby={`${id}-problems`}
        {...suggestions.attributes}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        onInput={({ currentTarget }) => write(currentTarget.value)}
        onSelect={suggestions.onSelect}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (!isLineBreak(event) && onKey(event)) event.preventDefault();
        }}
      />
      <SuggestionList {...suggestions.list} />
      <Problems id={`${id}-problems`} problems={check.problems} isRejected={isRejected} />
      <div ref={suggestionStrip} className={styles.strip}>
        <EditorOptions
          isSecret={value.isSecret}
          dynamic={check.mayBeDynamic ? check.isDynamic : null}
          onDynamic={check.choose}
          onNull={() => onDone({ kind: 'null' }, 'stay')}
          onFullPage={onFullPage}
          onGenerate={() => {
            if (field.current) field.current.value = generatedSecret();
            write(field.current?.value ?? '');
            field.current?.focus();
          }}
        />
      </div>
    </EditorBox>
  );
}

/** The text of the editor, its checks and suggestions, and the rule that saves it. */
function useTextEditing({ value, rules, initial, typed, soFar, onDone }: TextEditorProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(soFar.text ?? typed ?? initial.text);
  const check = useTextCheck({ value, rules, text, initial, soFar });
  const { rejectedText, save: saveText } = useSaving({ initial, typed, check, onDone });
  const write = (fresh: string) => {
    soFar.text = fresh;
    setText(fresh);
  };
  const suggestions = useSuggestions({
    field,
    text,
    listed: value.isSecret || text.includes('{') ? [] : (rules?.listed ?? []),
    isUntouched: soFar.text === null && typed === null,
    completions: check.completions,
    onWrite: write,
    onComplete: () => check.choose(true),
    onChoose: (chosen) => onDone({ kind: 'set', text: chosen, dynamic: false }, 'down'),
  });
  useInitialText(field, soFar.text ?? typed, initial.text);
  const save = (then: FocusAfterEdit) => saveText(field.current?.value ?? '', then);
  return { field, check, suggestions, isRejected: rejectedText === text, write, save };
}

/** Enter with Alt or Shift adds a line break. Input methods use Enter to end a composition. */
const isLineBreak = ({ key, altKey, shiftKey, nativeEvent }: KeyboardEvent): boolean =>
  (key === 'Enter' && (altKey || shiftKey)) || nativeEvent.isComposing;

interface ProblemsProps {
  /** The id, with which the field refers to the problems. */
  readonly id?: string;
  readonly problems: readonly string[];
  /** Whether the user has tried to save the text. */
  readonly isRejected: boolean;
  /** The key or button that saves the text all the same. */
  readonly again?: string;
}

export function Problems({ id, problems, isRejected, again = 'Press Enter' }: ProblemsProps) {
  return (
    <div id={id} role="status" className={styles.problems}>
      {problems.map((message) => (
        <p key={message}>
          <UserText>{message}</UserText>
        </p>
      ))}
      {isRejected && problems.length > 0 && (
        <p className={styles.again}>Not saved. {again} again to keep it as a draft that can’t be applied.</p>
      )}
    </div>
  );
}

const focusFirst = (strip: HTMLElement | null) => strip?.querySelector<HTMLElement>('input, button')?.focus();

/** Focuses the field, with the typed text or with the initial text selected. */
function useInitialText(
  field: React.RefObject<HTMLTextAreaElement | null>,
  firstCharacter: string | null,
  initial: string,
) {
  const fill = useEffectEvent((element: HTMLTextAreaElement) => {
    element.value = firstCharacter ?? initial;
    element.focus({ preventScroll: true });
    if (firstCharacter === null) element.select();
    else element.setSelectionRange(firstCharacter.length, firstCharacter.length);
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
  onFullPage(): void;
  /** Replaces the text with a generated secret. */
  onGenerate(): void;
}

function EditorOptions({ isSecret, dynamic, onDynamic, onNull, onFullPage, onGenerate }: EditorOptionsProps) {
  return (
    <>
      {isSecret && <span className={styles.note}>Held in this tab until you apply.</span>}
      {dynamic !== null && (
        <label className={styles.choice}>
          <input type="checkbox" checked={dynamic} onChange={({ target }) => onDynamic(target.checked)} />
          resolve {'{{ references }}'}
        </label>
      )}
      {isSecret && (
        <button type="button" className={styles.choice} onClick={onGenerate}>
          generate
        </button>
      )}
      <button type="button" className={styles.choice} onClick={onNull}>
        set to null
      </button>
      <button type="button" className={styles.choice} title="Edit on the full page (Ctrl + Enter)" onClick={onFullPage}>
        full page
      </button>
      <span className={styles.keys} aria-hidden>
        <kbd>Enter</kbd> saves draft <kbd>Esc</kbd> cancels
      </span>
    </>
  );
}
