import type { ReactNode } from 'react';
import styles from './facts.module.css';
import { When } from './when.tsx';

interface FactsProps {
  /** What is said of a thing, by what it is about; null is left out. */
  readonly facts: Readonly<Record<string, ReactNode>>;
}

/** What there is to say of one thing, line by line. */
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

/** When a thing was made, and when it was changed last, if ever. */
export const datesOf = ({ createdAt, modifiedAt }: Dated): FactsProps['facts'] => ({
  Made: <When at={createdAt} />,
  Changed: modifiedAt === null || modifiedAt === createdAt ? null : <When at={modifiedAt} />,
});
