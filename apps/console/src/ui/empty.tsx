import type { ReactNode } from 'react';
import styles from './empty.module.css';

interface EmptyProps {
  readonly title: string;
  /** A description of the page's purpose, and the first action. */
  readonly children: ReactNode;
}

/** Shown in place of a list that has no rows yet. */
export function Empty({ title, children }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <h2>{title}</h2>
      {children}
    </div>
  );
}
