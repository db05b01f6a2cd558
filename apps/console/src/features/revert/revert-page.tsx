import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { AppliedReason } from '../../data/changesets.ts';
import { changesetQuery } from '../../data/history.ts';
import { matrixKeys } from '../../data/matrix.ts';
import { planDifference, type ReviewedPlan } from '../../data/plan.ts';
import {
  applyRevert,
  type ConflictChoice,
  type RevertPlanResult,
  type RevertTarget,
  revertPlanQuery,
} from '../../data/revert-plan.ts';
import { describeChange, describeChanges } from '../../kit/history/changeset-descriptions.ts';
import { PlanProgress } from '../../kit/planned/plan-progress.tsx';
import { PlanView } from '../../kit/planned/plan-view.tsx';
import { ReasonForm } from '../../kit/planned/reason-form.tsx';
import reviewStyles from '../../kit/planned/review-page.module.css';
import { WriteError } from '../../lib/request-error.ts';
import button from '../../ui/button.module.css';
import { Empty } from '../../ui/empty.tsx';
import { ErrorMessage } from '../../ui/error-message.tsx';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';
import { RevertConflicts } from './revert-conflicts.tsx';
import styles from './revert-page.module.css';

const ofChangeset = getRouteApi('/inside/history/$revision/revert');
const returnRoute = getRouteApi('/inside/history/return');

/** Previews and applies the revert of a changeset. */
export function RevertPage() {
  const { revision } = ofChangeset.useParams();
  const { data: changeset } = useQuery(changesetQuery(revision));
  const title = changeset
    ? (changeset.message ?? describeChanges(changeset.changes, changeset.changeCount, changeset.revision))
    : '';
  return (
    <Revert key={revision} aim={{ kind: 'changeset', revision }}>
      <h2>Revert revision {revision}</h2>
      {title !== '' && (
        <p className={styles.title}>
          <UserText>{title}</UserText>
        </p>
      )}
    </Revert>
  );
}

/** Previews and applies the restore of an object to an earlier state. */
export function ReturnPage() {
  const { to, name, ...scope } = returnRoute.useSearch();
  const scopeName = scope.project ?? scope.environment ?? scope.parameter;
  if (to === undefined || scopeName === undefined) return <WhereToBegin />;
  const shownName = name ?? scopeName;
  return (
    <Revert key={JSON.stringify([to, scope])} aim={{ kind: 'moment', revision: to, scope }}>
      <h2>
        Restore <UserText>{shownName}</UserText> to revision {to}
      </h2>
    </Revert>
  );
}

/** Explains reverts if the URL names no scope or no revision. */
function WhereToBegin() {
  return (
    <div className={page.page}>
      <Empty title="Restore">
        <p>
          Restore the values, rules and templates of a project, an environment or a parameter to any revision.
          Permissions and tags are not restored. You review the effective changes first.
        </p>
        <p>Open the history of the object and choose “Restore to this revision”:</p>
        <ul className={page.buttons}>
          <li>
            <Link to="/history" className={button.plain}>
              History, for a project
            </Link>
          </li>
          <li>
            <Link to="/environments" className={button.plain}>
              Environments
            </Link>
          </li>
          <li>
            <Link to="/projects" className={button.plain}>
              Projects, for a parameter
            </Link>
          </li>
        </ul>
      </Empty>
    </div>
  );
}

interface RevertProps {
  readonly aim: RevertTarget;
  readonly children: React.ReactNode;
}

function Revert({ aim, children }: RevertProps) {
  const [choice, setChoice] = useState<ConflictChoice>('abort');
  const [seenPlan, setSeenPlan] = useState<ReviewedPlan | null>(null);
  // The conflicts stay listed while the user previews other policies.
  const abortPlan = useQuery(revertPlanQuery(aim, 'abort'));
  const chosenPlan = useQuery({ ...revertPlanQuery(aim, choice), placeholderData: keepPreviousData });
  const client = useQueryClient();
  const navigate = useNavigate();
  const error = abortPlan.error ?? chosenPlan.error;
  if (error)
    return <ErrorMessage error={error} reset={() => void Promise.all([abortPlan.refetch(), chosenPlan.refetch()])} />;
  if (!abortPlan.data || !chosenPlan.data) return <PlanProgress />;
  const { plan, conflicts: left } = chosenPlan.data;
  const isOld = chosenPlan.isFetching;
  const submit = async (reason: AppliedReason): Promise<string | null> => {
    try {
      const revision = await applyRevert(aim, choice, plan.planHash, reason);
      client.removeQueries({ queryKey: matrixKeys.all, type: 'inactive' });
      void client.invalidateQueries();
      await navigate({ to: '/history/$revision', params: { revision: String(revision) } });
      return null;
    } catch (error) {
      if (!(error instanceof WriteError)) throw error;
      if (!error.isOutdated) return error.message;
      setSeenPlan(plan);
      await Promise.all([abortPlan.refetch(), chosenPlan.refetch()]);
      return null;
    }
  };
  const isTakingBack = aim.kind === 'changeset';
  return (
    <div className={reviewStyles.page}>
      <div className={reviewStyles.main}>
        <header className={styles.head}>
          {children}
          <p className={styles.note}>
            This creates a new revision, which you can revert in turn. Permissions, tags, groups, webhooks and
            integrations stay as they are.
          </p>
        </header>
        {abortPlan.data.conflicts.length > 0 && (
          <RevertConflicts conflicts={abortPlan.data.conflicts} choice={choice} onChoice={setChoice} />
        )}
        <NotTakenBack plan={plan} />
        {left.length === 0 && (
          <PlanView
            plan={plan}
            drafts={null}
            difference={seenPlan ? planDifference(seenPlan, plan) : null}
            isOld={isOld}
          />
        )}
      </div>
      <ReasonForm
        verb={isTakingBack ? 'Revert' : 'Restore'}
        busyVerb={isTakingBack ? 'Reverting …' : 'Restoring …'}
        isPossible={!isOld}
        blockedBy={isOld ? null : blockedBy(chosenPlan.data)}
        submit={submit}
      >
        {isTakingBack && (
          <Link to="/history/$revision" params={{ revision: aim.revision }} className={button.quiet}>
            Cancel
          </Link>
        )}
      </ReasonForm>
    </div>
  );
}

/** The number of listed objects. */
const STAYING_SHOWN = 50;

/** Lists the changes that a revert cannot undo, such as grants. */
function NotTakenBack({ plan: { notRevertible, totals } }: { readonly plan: ReviewedPlan }) {
  const count = totals.notRevertible ?? 0;
  if (!notRevertible || count === 0) return null;
  return (
    <section aria-labelledby="staying">
      <h2 id="staying">{count === 1 ? '1 change stays' : `${count.toLocaleString()} changes stay`}</h2>
      <ul>
        {notRevertible.slice(0, STAYING_SHOWN).map((change, at) => (
          <li key={at}>{describeChange(change)}</li>
        ))}
      </ul>
      {count > STAYING_SHOWN && <p>and {(count - STAYING_SHOWN).toLocaleString()} more</p>}
    </section>
  );
}

function blockedBy({ plan, conflicts, errors }: RevertPlanResult): string | null {
  if (conflicts.length > 0) return 'Choose how to handle the objects that can’t be restored automatically.';
  if (errors.length > 0) return errors.join(' ');
  return plan.totals.changes === 0 ? 'Nothing to revert.' : null;
}
