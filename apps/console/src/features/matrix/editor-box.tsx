import { type ReactNode, useEffect, useRef } from 'react';
import type { RulesTarget } from '../../data/value-rules.ts';
import type { DraftEdit } from '../../lib/draft.ts';
import styles from './editor.module.css';

/** The movement of the focus after an edit; `leave` if the focus has already left the grid. */
export type FocusAfterEdit = 'stay' | 'leave' | 'down' | 'right' | 'left';

/** The parameter whose value is edited. */
export interface EditedValue {
  /** The project in which references are resolved. */
  readonly projectId: string;
  readonly name: string;
  readonly isSecret: boolean;
  readonly rules: RulesTarget;
}

export interface EditorProps {
  readonly value: EditedValue;
  readonly label: string;
  /** The draft or the stored value to edit. */
  readonly initial: { readonly text: string; readonly dynamic: boolean };
  /** The character that opened the editor; null if the editor starts with the initial text. */
  readonly typed: string | null;
  /** The typed text, which survives when the editor is mounted again. */
  readonly soFar: EditorText;
  /** Whether the cell is in the last column, where the editor extends to the left. */
  readonly isLast: boolean;
  /** Called when the user has finished. `edit` is null if the cell does not change. */
  onDone(edit: DraftEdit | null, then: FocusAfterEdit): void;
  /** Continues on the full page. */
  onFullPage(): void;
}

/** The input of an editor, which the full page takes over and returns. */
export interface EditorText {
  text: string | null;
  /** Whether the text is dynamic; null if the user has not chosen. */
  dynamic: boolean | null;
}

export const NOTHING_TYPED: Readonly<EditorText> = { text: null, dynamic: null };

interface BoxProps {
  readonly label: string;
  readonly isLast: boolean;
  readonly children: ReactNode;
  /** Called when the focus leaves the editor. */
  onLeave(): void;
  onCancel(): void;
  /** Called when Up is pressed in the options below the field. */
  onUp?(): void;
}

/** The floating box of an editor. */
export function EditorBox({ label, isLast, children, onLeave, onCancel, onUp }: BoxProps) {
  const box = useRef<HTMLDivElement>(null);
  // The editor is higher than the cell.
  useEffect(() => void box.current?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <div
      ref={box}
      role="group"
      aria-label={label}
      className={styles.box}
      data-end={isLast || undefined}
      onBlur={({ relatedTarget }) => {
        if (!box.current?.contains(relatedTarget)) onLeave();
      }}
      onKeyDown={({ key }) => {
        if (key === 'Escape') onCancel();
        if (key === 'ArrowUp') onUp?.();
      }}
    >
      {children}
    </div>
  );
}
