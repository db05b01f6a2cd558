import type { ReactNode } from 'react';
import page from './page.module.css';

interface PageNoteProps {
  /** Whether the state has changed while the page was open, so that the note is announced. */
  readonly isNews?: boolean;
  readonly children: ReactNode;
}

/** A note that is the only content of a page. */
export function PageNote({ isNews = false, children }: PageNoteProps) {
  return (
    <div className={page.page}>
      <p className={page.note} role={isNews ? 'alert' : undefined}>
        {children}
      </p>
    </div>
  );
}
