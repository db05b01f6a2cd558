import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import type { AppliedReason } from '../../data/changesets.ts';
import { isOutcomeUnknown } from '../../data/changesets.ts';
import type { DraftsPlan, ReviewedPlan } from '../../data/plan.ts';
import { assertStillSignedIn, viewerQuery } from '../../data/session.ts';
import { setDraftErrors } from '../../kit/drafts/draft-errors.ts';
import { lastOpenedGrid } from '../../kit/drafts/last-grids.ts';
import { type AppliedOutcome, applyDrafts } from '../../kit/planned/apply-drafts.ts';
import { ReasonForm } from '../../kit/planned/reason-form.tsx';
import type { Drafts } from '../../lib/draft.ts';
import { isComplete } from '../../lib/draft-operations.ts';
import button from '../../ui/button.module.css';

interface ApplyFormProps {
  readonly drafts: Drafts;
  /** The plan that is shown; null if there is none. Its part without the rejected drafts can be applied alone. */
  readonly planned: DraftsPlan | null;
  /** The reason why the drafts cannot be applied now; null if they can. */
  readonly blockedBy: string | null;
  /** Called with the drafts while they are being applied, and with null once the outcome is known. */
  onSent(drafts: Drafts | null): void;
  onApplied(outcome: AppliedOutcome, plan: ReviewedPlan): Promise<void>;
  /** Called if the plan was outdated, so that nothing was stored. */
  onOutdated(): void;
}

/** The form with which drafts are applied, with a message for the history. */
export function ApplyForm({ drafts, planned, blockedBy, onSent, onApplied, onOutdated }: ApplyFormProps) {
  const readyCount = completeCount(drafts);
  const readyRest = planned?.rest ? completeCount(planned.rest.drafts) : 0;
  const { data: viewer } = useQuery(viewerQuery);
  /** The message of a write whose outcome is unknown. Its outcome can only be determined by repeating exactly the same write. */
  const unknownOutcomeReason = useRef<AppliedReason | null>(null);
  const submit = async (reason: AppliedReason, isPart: boolean): Promise<string | null> => {
    const appliedPlan = isPart ? planned?.rest : planned;
    if (!appliedPlan) return null;
    const appliedReason = unknownOutcomeReason.current ?? reason;
    if (viewer) await assertStillSignedIn(viewer);
    onSent(appliedPlan.drafts);
    try {
      const outcome = await applyDrafts(appliedPlan.drafts, appliedPlan.plan.planHash, appliedReason);
      unknownOutcomeReason.current = null;
      onSent(null);
      if (outcome.kind === 'applied') await onApplied(outcome, appliedPlan.plan);
      else if (outcome.kind === 'outdated') onOutdated();
      else setDraftErrors(outcome.byKey);
      return outcome.kind === 'rejected' ? outcome.message : null;
    } catch (error) {
      if (isOutcomeUnknown(error)) unknownOutcomeReason.current = appliedReason;
      else if (unknownOutcomeReason.current === null) onSent(null);
      throw error;
    }
  };
  return (
    <ReasonForm
      verb={readyCount === 1 ? 'Apply this change' : `Apply ${readyCount} changes`}
      busyVerb="Applying …"
      isPossible={readyCount > 0 && planned !== null}
      blockedBy={blockedBy}
      isAppliedByKey
      partVerb={readyRest > 0 ? `Apply the other ${readyRest === 1 ? 'change' : readyRest}` : null}
      submit={submit}
    >
      <BackToEditing drafts={drafts} />
    </ReasonForm>
  );
}

const completeCount = (drafts: Drafts): number => [...drafts.values()].filter(isComplete).length;

function BackToEditing({ drafts }: Pick<ApplyFormProps, 'drafts'>) {
  if (drafts.size === 0) return null;
  return (
    <Link {...lastOpenedGrid([...drafts.values()])} className={button.quiet}>
      Back to editing
    </Link>
  );
}
