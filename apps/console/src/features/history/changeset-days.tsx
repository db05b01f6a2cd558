import type { ReactNode } from 'react';
import { formatDay } from '../../ui/time.ts';
import styles from './changeset-days.module.css';
import { ChangesetLine } from './changeset-line.tsx';

type ListedChangeset = Parameters<typeof ChangesetLine>[0]['changeset'];

interface ChangesetDaysProps {
  readonly changesets: readonly ListedChangeset[];
  /** Whether the list is outdated because another page is being loaded. */
  readonly isOld: boolean;
  /** Returns the buttons beside a changeset. */
  asideOf?(revision: number): ReactNode;
}

/** Lists changesets grouped by day. */
export function ChangesetDays({ changesets, isOld, asideOf }: ChangesetDaysProps) {
  const days = Map.groupBy(changesets, ({ at }) => formatDay(at));
  return (
    <div className={styles.days} aria-busy={isOld}>
      {[...days].map(([day, dayChangesets]) => (
        <section key={day} aria-label={day}>
          <h2 className={styles.day}>{day}</h2>
          <ol className={styles.list}>
            {dayChangesets.map((changeset) => (
              <ChangesetLine key={changeset.revision} changeset={changeset} aside={asideOf?.(changeset.revision)} />
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}
