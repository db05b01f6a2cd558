import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import type { Completions, MarkedProblem } from '../../lib/mentions.ts';
import styles from './code-editor.module.css';
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
  readonly handle: Ref<CodeEditorHandle>;
  /** Returns the completions after `{{`, possibly after loading them. */
  offered(): readonly Completions[] | Promise<readonly Completions[]>;
  onChange(text: string): void;
}

/** An editor in a shadow root, so that its styles are adopted style sheets instead of style elements. */
export function CodeEditor({ text, label, isReadOnly, offered, problems, handle, onChange }: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<CodeView>(null);
  const present = useRef({ text, offered, onChange });
  present.current = { text: present.current.text, offered, onChange };
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    const made = codeView({
      root,
      text: present.current.text,
      label,
      isReadOnly,
      offered: () => present.current.offered(),
      onChange: (fresh) => {
        present.current.text = fresh;
        present.current.onChange(fresh);
      },
    });
    view.current = made;
    // Outside the shadow root, these events do not appear to come from a text field, so they would trigger the shortcuts of the page.
    const keepIn = (event: KeyboardEvent) => {
      if (event.key.length === 1 && !event.ctrlKey && !event.metaKey) event.stopPropagation();
    };
    element.addEventListener('keydown', keepIn);
    return () => {
      element.removeEventListener('keydown', keepIn);
      made.destroy();
    };
  }, [label, isReadOnly]);
  useEffect(() => view.current?.mark(problems), [problems]);
  useImperativeHandle(handle, () => ({
    replace: (fresh) => view.current?.replace(fresh),
    focus: () => view.current?.focus(),
  }));
  return <div ref={host} className={styles.editor} data-editor />;
}
