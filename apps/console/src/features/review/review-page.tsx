import { keepPreviousData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { currentCellKeys, rebaseOnRevision } from '../../data/current-cells.ts';
import { matrixKeys } from '../../data/matrix.ts';
import { type DraftsPlan, planDifference, planQuery, type ReviewedPlan } from '../../data/plan.ts';
import { refreshAfterAnyChange } from '../../data/query-keys.ts';
import { setDraftErrors } from '../../kit/drafts/draft-errors.ts';
import { type DraftsHandle, useDrafts } from '../../kit/drafts/drafts.ts';
import { lastOpenedGrid } from '../../kit/drafts/last-grids.ts';
import { describeDiscarded } from '../../kit/drafts/review-bar.tsx';
import { useConflicts } from '../../kit/drafts/use-conflicts.ts';
import type { AppliedOutcome } from '../../kit/planned/apply-drafts.ts';
import { DraftList } from '../../kit/planned/draft-list.tsx';
import { PlanProgress } from '../../kit/planned/plan-progress.tsx';
import { PlanView } from '../../kit/planned/plan-view.tsx';
import styles from '../../kit/planned/review-page.module.css';
import type { Drafts } from '../../lib/draft.ts';
import { isComplete } from '../../lib/draft-operations.ts';
import type { DraftConflict } from '../../lib/draft-status.ts';
import button from '../../ui/button.module.css';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { ApplyForm } from './apply-form.tsx';
import { Conflicts } from './conflicts.tsx';
import { Grouping } from './grouping.tsx';

/** Lists all drafts of the user with their effects. All of them are applied together or none. */
export function ReviewPage() {
  const handle = useDrafts();
  const [isApplied, setApplied] = useState(false);
  const [sentDrafts, setSentDrafts] = useState<Drafts | null>(null);
  // The matrix opens.
  if (isApplied) return null;
  if (handle.drafts.size === 0 && !sentDrafts) return <EmptyReview handle={handle} />;
  return <Review handle={handle} sent={sentDrafts} onSent={setSentDrafts} onApplied={() => setApplied(true)} />;
}

interface ReviewProps {
  readonly handle: DraftsHandle;
  /** The drafts that are being applied, or whose outcome is unknown. They must not change meanwhile. */
  readonly sent: Drafts | null;
  onSent(drafts: Drafts | null): void;
  /** Called before the matrix opens. */
  onApplied(): void;
}

const route = getRouteApi('/inside/review');

const NO_EFFECTS: ReviewedPlan['effectiveChanges'] = [];
const NO_CONFLICTS: ReadonlyMap<string, DraftConflict> = new Map();

function Review({ handle: currentHandle, sent, onSent, onApplied }: ReviewProps) {
  const handle = useMemo(
    () => (sent ? { ...currentHandle, drafts: sent, move: () => {} } : currentHandle),
    [currentHandle, sent],
  );
  const { drafts } = handle;
  const { by } = route.useSearch();
  const client = useQueryClient();
  const foundConflicts = useConflicts(handle);
  // While drafts are being applied, the changes that arrive may be their own result and not conflicts.
  const conflicts = sent ? NO_CONFLICTS : foundConflicts;
  const { data, isFetching, error, refetch } = useDraftsPlan(drafts, conflicts, sent === null);
  const [seenPlan, setSeenPlan] = useState<{ readonly plan: ReviewedPlan; readonly drafts: Drafts } | null>(null);
  // The drafts that are being applied may be only those that are not rejected.
  const draftsPlan = [data, data?.rest].find((candidate) => candidate?.drafts === drafts);
  const isOld = isFetching || !draftsPlan;
  /** The plan whose effects are shown. */
  const shownPlan = draftsPlan?.rest ?? draftsPlan ?? data?.rest ?? data;
  const difference =
    seenPlan && shownPlan && seenPlan.drafts === drafts && !isOld
      ? planDifference(seenPlan.plan, shownPlan.plan)
      : null;
  const router = useRouter();
  const onSettled = async (outcome: AppliedOutcome, plan: ReviewedPlan) => {
    // The user may have opened another page meanwhile.
    const opensGrid = router.latestLocation.pathname === '/review';
    if (opensGrid) onApplied();
    setDraftErrors(new Map([...(data?.errors ?? [])].filter(([key]) => !outcome.sent.has(key))));
    const typedSince = handle.settle(outcome.sent);
    readAgain(client);
    if (opensGrid) void router.navigate(gridAfterApplying(outcome, plan));
    if (typedSince.size > 0) handle.move(await rebaseOnRevision(outcome.revision, typedSince));
  };

  // The events of recent changes may not have arrived yet, so the current state is loaded.
  useEffect(() => void client.invalidateQueries({ queryKey: currentCellKeys.all }), [client]);
  return (
    <div className={styles.page}>
      <fieldset className={styles.main} disabled={sent !== null} aria-label="Drafts">
        <Conflicts handle={handle} conflicts={conflicts} />
        <DraftList handle={handle} conflicts={conflicts} effects={shownPlan?.plan.effectiveChanges ?? NO_EFFECTS} />
        {error && <ErrorMessage error={error} reset={() => void refetch()} />}
        {!data && isFetching && <PlanProgress count={drafts.size} />}
        {data && shownPlan && conflicts.size === 0 && (
          <PlanView
            plan={shownPlan.plan}
            drafts={shownPlan.drafts}
            difference={difference}
            isByEdit={by !== 'environment'}
            grouping={<Grouping by={by} />}
            uncounted={shownPlan === data ? 0 : data.errors.size}
            isOld={isOld}
          />
        )}
      </fieldset>
      <ApplyForm
        drafts={drafts}
        planned={draftsPlan && !isOld ? draftsPlan : null}
        blockedBy={blockedBy(drafts, conflicts, isOld ? undefined : draftsPlan)}
        onSent={onSent}
        onApplied={onSettled}
        onOutdated={() => {
          if (shownPlan) setSeenPlan({ plan: shownPlan.plan, drafts });
          void client.invalidateQueries({ queryKey: currentCellKeys.all });
          void refetch();
        }}
      />
    </div>
  );
}

/** The most configurations whose instances are counted, so that the note leaves room for the page. */
const SCOPES_MAX = 6;

/** Returns the link to the matrix, with a note about the applied drafts. */
function gridAfterApplying({ sent, revision }: AppliedOutcome, { effectiveChanges }: ReviewedPlan) {
  const scopes = new Map(
    effectiveChanges.map(({ projectName: project, environmentName: environment }) => [
      JSON.stringify([project, environment]),
      { project, environment },
    ]),
  );
  return {
    ...lastOpenedGrid([...sent.values()]),
    replace: true,
    state: { applied: revision, scopes: [...scopes.values()].slice(0, SCOPES_MAX), scopeCount: scopes.size },
  };
}

function readAgain(client: QueryClient): void {
  // Removes cached rows, so that the matrix does not show the old values for a moment.
  client.removeQueries({ queryKey: matrixKeys.all, type: 'inactive' });
  for (const { all } of [matrixKeys, currentCellKeys]) void client.invalidateQueries({ queryKey: all });
  void refreshAfterAnyChange(client);
}

/** Loads the plan of the drafts, but only if there are no conflicts. While drafts are being applied, their plan stays. */
function useDraftsPlan(drafts: Drafts, conflicts: ReadonlyMap<string, DraftConflict>, isWanted: boolean) {
  const enabled = isWanted && conflicts.size === 0 && [...drafts.values()].some(isComplete);
  const read = useQuery({ ...planQuery(drafts), enabled, placeholderData: keepPreviousData });
  const client = useQueryClient();
  const { data } = read;
  useEffect(() => {
    if (!data) return;
    setDraftErrors(data.errors);
    // Another user has changed a value, but the event has not arrived yet.
    const isOutdated = data.plan.rejectedOperations.some(({ code }) => code === 'precondition_failed');
    if (isOutdated) void client.invalidateQueries({ queryKey: currentCellKeys.all });
  }, [data, client]);
  return read;
}

function blockedBy(
  drafts: Drafts,
  conflicts: ReadonlyMap<string, DraftConflict>,
  draftsPlan: DraftsPlan | undefined,
): string | null {
  if (conflicts.size > 0) return 'Resolve the conflict first.';
  if (![...drafts.values()].some(isComplete)) return 'Re-enter the secrets: they are not stored in drafts.';
  if (!draftsPlan || draftsPlan.plan.totals.rejectedOperations === 0) return null;
  const otherErrorText = draftsPlan.otherErrors.join(' ');
  const count = draftsPlan.errors.size;
  if (count === 0) return otherErrorText;
  return `${count === 1 ? 'One change is' : `${count} changes are`} rejected. Correct or discard the marked ones. ${otherErrorText}`.trim();
}

function EmptyReview({ handle }: { readonly handle: DraftsHandle }) {
  return (
    <div className={styles.nothing}>
      <h2>Nothing to review</h2>
      {handle.discarded > 0 && <Discarded handle={handle} />}
      <p>
        Your edits in a project’s matrix are kept as drafts. Review their effects here before you apply them together as
        one revision.
      </p>
      <Link to="/projects">Projects</Link>
    </div>
  );
}

function Discarded({ handle }: { readonly handle: DraftsHandle }) {
  const undo = useRef<HTMLButtonElement>(null);
  // The button with the focus was removed together with the last draft.
  useEffect(() => {
    if (document.activeElement === document.body) undo.current?.focus();
  }, []);
  return (
    <p role="status">
      {describeDiscarded(handle)} ·{' '}
      <button ref={undo} type="button" className={button.plain} onClick={handle.undo}>
        Undo
      </button>
    </p>
  );
}
