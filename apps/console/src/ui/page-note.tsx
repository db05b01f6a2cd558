import type { ReactNode } from 'react';
import page from './page.module.css';

interface PageNoteProps {
  /** It has become so under the eyes of who looks. */
  readonly isNews?: boolean;
  readonly children: ReactNode;
}

/** All that a page has to say. */
export function PageNote({ isNews = false, children }: PageNoteProps) {
  return (
    <div className={page.page}>
      <p className={page.note} role={isNews ? 'alert' : undefined}>
        {children}
      </p>
    </div>
  );
}
