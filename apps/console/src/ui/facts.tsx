import type { ReactNode } from 'react';
import styles from './facts.module.css';
import { When } from './when.tsx';

interface FactsProps {
  /** The facts by label. Null values are omitted. */
  readonly facts: Readonly<Record<string, ReactNode>>;
}

/** A list of labelled facts about an object. */
export function Facts({ facts }: FactsProps) {
  return (
    <dl className={styles.facts}>
      {Object.entries(facts).map(
        ([about, said]) =>
          said !== null && (
            <div key={about}>
              <dt>{about}</dt>
              <dd>{said}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

interface Dated {
  readonly createdAt: string;
  readonly modifiedAt: string | null;
}

/** Returns the facts about when an object was created and last changed. */
export const datesOf = ({ createdAt, modifiedAt }: Dated): FactsProps['facts'] => ({
  Created: <When at={createdAt} />,
  Changed: modifiedAt === null || modifiedAt === createdAt ? null : <When at={modifiedAt} />,
});
