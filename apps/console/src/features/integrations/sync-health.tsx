import type { SyncRun } from '../../data/integrations.ts';
import objects from '../../ui/objects.module.css';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';
import { describeRunState, isOpen } from './integration-words.ts';

/** The runs of a pull or a push that say how it is. */
interface LatestRuns {
  readonly latestTask: SyncRun | null;
  readonly latestResult: SyncRun | null;
}

/** Returns whether a pull or a push failed, or is repeated after an error. A run that has no result yet changes nothing. */
export const isFailing = ({ latestResult }: LatestRuns): boolean =>
  latestResult !== null && latestResult.errorCode !== null && !waitsForPerson({ latestResult });

/** Returns whether a push stopped with a plan that a person must approve. */
export const waitsForPerson = ({ latestResult }: Pick<LatestRuns, 'latestResult'>): boolean =>
  latestResult?.state === 'skipped';

/** Returns the run that a person should see first: the one with a problem, else the latest. */
export const urgentRun = (sync: LatestRuns): SyncRun | null =>
  isFailing(sync) || waitsForPerson(sync) ? sync.latestResult : sync.latestTask;

/** Sorts pulls and pushes by urgency: failing ones first, then those that wait for a person. */
export const sortByUrgency = <Sync extends LatestRuns>(syncs: readonly Sync[]): Sync[] => {
  const urgency = (sync: Sync) => (isFailing(sync) ? 0 : waitsForPerson(sync) ? 1 : 2);
  return [...syncs].sort((left, right) => urgency(left) - urgency(right));
};

/** Describes a run of a pull or a push in one line. */
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
