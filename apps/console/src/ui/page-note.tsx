import type { ReactNode } from 'react';
import page from './page.module.css';

interface PageNoteProps {
  /** Whether the state changed while the page was open. */
  readonly isNews?: boolean;
  readonly children: ReactNode;
}

/** The only content of a page. */
export function PageNote({ isNews = false, children }: PageNoteProps) {
  return (
    <div className={page.page}>
      <p className={page.note} role={isNews ? 'alert' : undefined}>
        {children}
      </p>
    </div>
  );
}
