import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import button from './button.module.css';
import styles from './popover.module.css';

interface PopoverProps {
  /** The content of the button that opens it. */
  readonly summary: ReactNode;
  /** The content, which is rendered while it is open. */
  readonly children: ReactNode;
}

/** A panel below a button. Escape and a click outside close it. */
export function Popover({ summary, children }: PopoverProps) {
  const details = useRef<HTMLDetailsElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [isAtEnd, setAtEnd] = useState(false);
  useEffect(() => {
    const close = (event: Event) => {
      const isInside = details.current?.contains(event.target as Node) ?? false;
      const isEscape = event instanceof KeyboardEvent && event.key === 'Escape';
      if (!details.current?.open || !(isEscape || (event.type === 'pointerdown' && !isInside))) return;
      details.current.open = false;
      if (isEscape && isInside) details.current.querySelector('summary')?.focus();
    };
    addEventListener('pointerdown', close);
    addEventListener('keydown', close);
    return () => {
      removeEventListener('pointerdown', close);
      removeEventListener('keydown', close);
    };
  }, []);
  return (
    <details
      ref={details}
      className={styles.popover}
      onToggle={({ currentTarget }) => {
        const { left, right } = currentTarget.getBoundingClientRect();
        // The panel extends to the side with more space.
        setAtEnd(left + right > innerWidth);
        setOpen(currentTarget.open);
      }}
    >
      <summary className={button.quiet}>{summary}</summary>
      {isOpen && (
        <div className={styles.panel} data-end={isAtEnd || undefined}>
          <Suspense>{children}</Suspense>
        </div>
      )}
    </details>
  );
}
