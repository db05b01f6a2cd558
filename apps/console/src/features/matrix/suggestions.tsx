import { useEffect, useId, useRef, useState } from 'react';
import { type Completions, completeOutput, readTypedReference } from '../../lib/mentions.ts';
import { UserText } from '../../ui/user-text.tsx';
import styles from './editor.module.css';

interface Suggestion {
  readonly label: string;
  readonly detail: string;
}

/** The maximum number of suggestions. More are found by typing. */
const SHOWN_MAX = 50;

interface SuggestionsProps {
  readonly field: React.RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
  /** The values that the rules list. */
  readonly listed: readonly string[];
  /** Whether the text is still the initial one, so that it does not filter the values. */
  readonly isUntouched: boolean;
  /** The completions after `{{`; null until they are loaded. */
  readonly completions: readonly Completions[] | null;
  onWrite(text: string): void;
  /** Called when a reference is completed. */
  onComplete(): void;
  /** Called with the chosen value. */
  onChoose(value: string): void;
}

/** Suggests references after `{{`, and otherwise the values that the rules list. */
export function useSuggestions(props: SuggestionsProps) {
  const { field, text, listed, isUntouched, completions, onWrite, onComplete, onChoose } = props;
  const id = useId();
  const [caret, setCaret] = useState(text.length);
  const [moved, setMoved] = useState<{ readonly text: string; readonly at: number } | null>(null);
  const before = text.slice(0, caret);
  const reference = completions && readTypedReference(before);
  const items =
    reference === null ? valuesFor(text, listed, isUntouched) : completionsFor(reference, completions ?? []);
  // A reference is completed with Enter. A value must be selected first, because Enter saves the typed text.
  const at = moved?.text === text ? moved.at : reference === null ? -1 : 0;
  const choose = (index: number) => {
    const item = items[index];
    const element = field.current;
    if (!item || !element) return;
    if (reference === null) return onChoose(item.label);
    const from = caret - reference.length;
    const [rest = ''] = text.slice(caret).split('\n');
    element.setRangeText(completeOutput(item.label, text.slice(0, from), rest), from, caret, 'end');
    element.focus();
    setCaret(element.selectionStart);
    onWrite(element.value);
    onComplete();
  };
  /** Handles a key, and returns whether the list has used it. */
  const onKey = (key: string): boolean => {
    if (key === 'Enter' && items[at]) choose(at);
    else if (key === 'ArrowDown' && at < items.length - 1) setMoved({ text, at: at + 1 });
    else if (key === 'ArrowUp' && at >= 0) setMoved({ text, at: at - 1 });
    else return false;
    return true;
  };
  return {
    onKey,
    onSelect: ({ currentTarget }: { readonly currentTarget: HTMLTextAreaElement }) =>
      setCaret(currentTarget.selectionStart),
    attributes: {
      'aria-autocomplete': 'list',
      'aria-controls': items.length > 0 ? id : undefined,
      'aria-activedescendant': items[at] ? `${id}-${at}` : undefined,
    } as const,
    list: { id, items, at, onChoose: choose },
  };
}

function valuesFor(text: string, listed: readonly string[], isUntouched: boolean): readonly Suggestion[] {
  const searchText = isUntouched ? '' : text.toLowerCase();
  const matches = listed.filter((value) => value.toLowerCase().includes(searchText));
  const isExact = matches.length === 1 && matches[0] === text && !isUntouched;
  return isExact ? [] : matches.slice(0, SHOWN_MAX).map((label) => ({ label, detail: '' }));
}

function completionsFor(searchText: string, completions: readonly Completions[]): readonly Suggestion[] {
  const text = searchText.toLowerCase();
  const matches = completions.filter(({ label }) => label.toLowerCase().includes(text));
  const startsWith = ({ label }: Completions) => label.toLowerCase().startsWith(text);
  return [...matches.filter(startsWith), ...matches.filter((match) => !startsWith(match))].slice(0, SHOWN_MAX);
}

interface ListProps {
  readonly id: string;
  readonly items: readonly Suggestion[];
  /** The index of the highlighted suggestion; -1 if there is none. */
  readonly at: number;
  onChoose(index: number): void;
}

export function SuggestionList({ id, items, at, onChoose }: ListProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => void list.current?.children[at]?.scrollIntoView({ block: 'nearest' }), [at]);
  if (items.length === 0) return null;
  return (
    <div ref={list} id={id} role="listbox" aria-label="Suggestions" className={styles.list}>
      {items.map(({ label, detail }, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the field select a suggestion
        <div
          key={label}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          // The focus stays in the field.
          onPointerDown={(event) => event.preventDefault()}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(index)}
        >
          <span className={styles.label}>
            <UserText>{label}</UserText>
          </span>
          {detail !== '' && (
            <span className={styles.detail}>
              <UserText>{detail}</UserText>
            </span>
          )}
        </div>
      ))}
    </div>
  );
}
