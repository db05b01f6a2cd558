import type { ReactNode } from 'react';
import styles from './empty.module.css';

interface EmptyProps {
  readonly title: string;
  /** What it would be good for, and how to begin. */
  readonly children: ReactNode;
}

/** In place of a list that has nothing in it yet. */
export function Empty({ title, children }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <h2>{title}</h2>
      {children}
    </div>
  );
}
