import type { SyncRun } from '../../data/integrations.ts';
import objects from '../../ui/objects.module.css';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';
import { describeRunState, isOpen } from './integration-words.ts';

/** Returns whether a run failed, or waits for its next attempt. */
export const isFailing = (run: SyncRun | null): boolean => run !== null && describeRunState(run).isBad === true;

/** Returns whether a run stopped with a plan that a person must approve. */
export const waitsForPerson = (run: SyncRun | null): boolean => run?.state === 'skipped';

/** Sorts pulls and pushes by urgency: failing ones first, then those that wait for a person. */
export const sortByUrgency = <Sync extends { readonly latestTask: SyncRun | null }>(syncs: readonly Sync[]): Sync[] => {
  const urgency = ({ latestTask }: Sync) => (isFailing(latestTask) ? 0 : waitsForPerson(latestTask) ? 1 : 2);
  return [...syncs].sort((left, right) => urgency(left) - urgency(right));
};

/** Describes the latest run of a pull or a push in one line. */
export function SyncHealth({ run }: { readonly run: SyncRun | null }) {
  if (run === null) return <p className={objects.faint}>No run yet</p>;
  const { label, isBad } = describeRunState(run);
  const { createdAt, modifiedAt, nextAttemptAt, errorDetail } = run;
  return (
    <>
      <span className={page.badge} data-danger={isBad}>
        {label}
      </span>
      <p className={isBad ? objects.bad : objects.faint}>
        {errorDetail !== null && (
          <>
            <UserText>{errorDetail}</UserText>{' '}
          </>
        )}
        {nextAttemptAt !== null ? (
          <>
            Next attempt <When at={nextAttemptAt} as="upcoming" />
          </>
        ) : (
          <When at={isOpen(run) ? createdAt : (modifiedAt ?? createdAt)} />
        )}
      </p>
    </>
  );
}
