import type { ReactNode } from 'react';
import styles from './facts.module.css';

interface FactsProps {
  /** The facts by label. Null values are omitted. */
  readonly facts: Readonly<Record<string, ReactNode>>;
  /** `cards`: the state of the object at a glance, side by side. */
  readonly as?: 'rows' | 'cards';
}

/** A list of labelled facts about an object. */
export function Facts({ facts, as = 'rows' }: FactsProps) {
  return (
    <dl className={styles[as]}>
      {Object.entries(facts).map(
        ([label, content]) =>
          content !== null && (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{content}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
