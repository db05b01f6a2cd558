import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import type { Completions, MarkedProblem } from '../../lib/mentions.ts';
import styles from './code-editor.module.css';
import type { CodeLanguage } from './code-language.ts';
import { type CodeView, codeView } from './code-view.ts';

export interface CodeEditorHandle {
  replace(text: string): void;
  focus(): void;
}

interface CodeEditorProps {
  /** The initial text. Afterwards the editor holds the text. */
  readonly text: string;
  readonly label: string;
  readonly isReadOnly: boolean;
  readonly problems: readonly MarkedProblem[];
  readonly language?: CodeLanguage;
  /** Whether Tab indents instead of moving the focus. */
  readonly isIndentedByTab?: boolean;
  /** Whether the editor is as high as the space around it, and gets the focus. */
  readonly isFilling?: boolean;
  /** Whether the text is shown as dots. */
  readonly isHidden?: boolean;
  /** Called with a selected text instead of copying it. The text cannot be dragged either. */
  readonly onCopy?: ((text: string) => void) | undefined;
  readonly handle: Ref<CodeEditorHandle>;
  /** Returns the completions after `{{`, possibly after loading them. */
  offered(): readonly Completions[] | Promise<readonly Completions[]>;
  onChange(text: string, isCompletion: boolean): void;
}

/** An editor in a shadow root, so that its styles are adopted style sheets instead of style elements. */
export function CodeEditor(props: CodeEditorProps) {
  const {
    label,
    isReadOnly,
    problems,
    language = 'plain',
    isIndentedByTab = false,
    isHidden,
    isFilling = false,
    handle,
  } = props;
  const hasCopy = props.onCopy !== undefined;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<CodeView>(null);
  const currentProps = useRef(props);
  currentProps.current = { ...props, text: currentProps.current.text };
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    const newView = codeView({
      root,
      text: currentProps.current.text,
      label,
      isReadOnly,
      isIndentedByTab,
      language: currentProps.current.language ?? 'plain',
      offered: () => currentProps.current.offered(),
      onCopy: hasCopy ? (copiedText) => currentProps.current.onCopy?.(copiedText) : undefined,
      onChange: (newText, isCompletion) => {
        currentProps.current = { ...currentProps.current, text: newText };
        currentProps.current.onChange(newText, isCompletion);
      },
    });
    view.current = newView;
    if (isFilling) newView.focus();
    // Outside the shadow root, these events do not appear to come from a text field, so they would trigger the shortcuts of the page.
    const keepIn = (event: KeyboardEvent) => {
      if (event.key.length === 1 && !event.ctrlKey && !event.metaKey) event.stopPropagation();
    };
    element.addEventListener('keydown', keepIn);
    return () => {
      element.removeEventListener('keydown', keepIn);
      newView.destroy();
    };
  }, [label, isReadOnly, isIndentedByTab, isFilling, hasCopy]);
  useEffect(() => view.current?.setLanguage(language), [language]);
  useEffect(() => view.current?.mark(problems), [problems]);
  useImperativeHandle(handle, () => ({
    replace: (newText) => view.current?.replace(newText),
    focus: () => view.current?.focus(),
  }));
  return (
    <div
      ref={host}
      className={styles.editor}
      data-editor
      data-filling={isFilling || undefined}
      data-hidden={isHidden || undefined}
    />
  );
}
