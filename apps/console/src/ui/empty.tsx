import type { ReactNode } from 'react';
import styles from './empty.module.css';

interface EmptyProps {
  readonly title: string;
  /** Explains the purpose of the page, and offers the first action. */
  readonly children: ReactNode;
}

/** Replaces a list that has no rows yet. */
export function Empty({ title, children }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <h2>{title}</h2>
      {children}
    </div>
  );
}
