import { X } from 'lucide-react';
import { useId, useLayoutEffect, useRef } from 'react';
import button from './button.module.css';
import styles from './dialog.module.css';
import { UserText } from './user-text.tsx';

interface DialogProps {
  readonly title: string;
  readonly children: React.ReactNode;
  /** Whether a click beside it and Escape close it: not where something would be lost by that. */
  readonly closesLightly?: boolean;
  onClose(): void;
}

/** The browser's own modal dialog: it holds the focus, and gives it back. */
export function Dialog({ title, children, closesLightly = true, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Not once it is gone from the page: only a dialog that is closed there gives the focus back.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (element && !element.open) element.showModal();
    // The first thing to do here, rather than the way out.
    element?.querySelector<HTMLElement>('form :is(input, select, textarea, button)')?.focus();
    return () => element?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys reach the dialog by its buttons and Escape
    <dialog
      ref={dialog}
      className={styles.dialog}
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
