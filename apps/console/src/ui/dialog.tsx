import { X } from 'lucide-react';
import { useId, useLayoutEffect, useRef } from 'react';
import button from './button.module.css';
import styles from './dialog.module.css';
import { UserText } from './user-text.tsx';

interface DialogProps {
  readonly title: string;
  readonly children: React.ReactNode;
  /** Whether Escape and a click outside close the dialog. Set it to false if input could be lost. */
  readonly closesLightly?: boolean;
  /** Whether the dialog covers the whole page. */
  readonly isFullPage?: boolean;
  onClose(): void;
}

/** A modal dialog of the browser, which traps the focus and restores it. */
export function Dialog({ title, children, closesLightly = true, isFullPage = false, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // The dialog must be closed before React removes it. Otherwise the browser does not restore the focus.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (element && !element.open) element.showModal();
    // Focuses the first field or button of the form instead of the close button.
    element?.querySelector<HTMLElement>('form :is(input, select, textarea, button)')?.focus();
    return () => element?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys reach the dialog by its buttons and Escape
    <dialog
      ref={dialog}
      className={styles.dialog}
      data-full-page={isFullPage || undefined}
      aria-labelledby={titleId}
      onClose={onClose}
      onCancel={(event) => {
        if (!closesLightly) event.preventDefault();
      }}
      onClick={({ target, currentTarget }) => {
        if (closesLightly && target === currentTarget) onClose();
      }}
    >
      <div className={styles.inner}>
        <div className={styles.head}>
          <h2 id={titleId}>
            <UserText>{title}</UserText>
          </h2>
          <button type="button" className={button.icon} aria-label="Close" onClick={onClose}>
            <X size={15} aria-hidden />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}
