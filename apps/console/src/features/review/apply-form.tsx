import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import type { AppliedReason } from '../../data/changesets.ts';
import { isOutcomeUnknown } from '../../data/changesets.ts';
import { assertStillSignedIn, viewerQuery } from '../../data/session.ts';
import { setRefusals } from '../../kit/drafts/refusals.ts';
import { type AppliedOutcome, applyDrafts } from '../../kit/planned/apply-drafts.ts';
import { ReasonForm } from '../../kit/planned/reason-form.tsx';
import type { Drafts } from '../../lib/draft.ts';
import { isComplete } from '../../lib/draft-operations.ts';
import button from '../../ui/button.module.css';

interface ApplyFormProps {
  readonly drafts: Drafts;
  /** The hash of the plan that is shown; null if there is none. */
  readonly planHash: string | null;
  /** The reason why the drafts cannot be applied now; null if they can. */
  readonly blockedBy: string | null;
  /** Called with the drafts while they are being applied, and with null once the outcome is known. */
  onSent(drafts: Drafts | null): void;
  onApplied(outcome: AppliedOutcome): Promise<void>;
  /** Called if the plan was outdated, so that nothing was stored. */
  onOutdated(): void;
}

/** The form with which drafts are applied, with a message for the history. */
export function ApplyForm({ drafts, planHash, blockedBy, onSent, onApplied, onOutdated }: ApplyFormProps) {
  const ready = [...drafts.values()].filter(isComplete).length;
  const { data: viewer } = useQuery(viewerQuery);
  /** The message of a write whose outcome is unknown. Its outcome can only be determined by repeating exactly the same write. */
  const unknown = useRef<AppliedReason | null>(null);
  const submit = async (typed: AppliedReason): Promise<string | null> => {
    if (planHash === null) return null;
    const why = unknown.current ?? typed;
    if (viewer) await assertStillSignedIn(viewer);
    onSent(drafts);
    try {
      const outcome = await applyDrafts(drafts, planHash, why);
      unknown.current = null;
      onSent(null);
      if (outcome.kind === 'applied') await onApplied(outcome);
      else if (outcome.kind === 'outdated') onOutdated();
      else setRefusals(outcome.byKey);
      return outcome.kind === 'refused' ? outcome.message : null;
    } catch (error) {
      if (isOutcomeUnknown(error)) unknown.current = why;
      else if (unknown.current === null) onSent(null);
      throw error;
    }
  };
  return (
    <ReasonForm
      verb={ready === 1 ? 'Apply this change' : `Apply ${ready} changes`}
      busyVerb="Applying …"
      isPossible={ready > 0 && planHash !== null}
      blockedBy={blockedBy}
      submit={submit}
    >
      <BackToEditing drafts={drafts} />
    </ReasonForm>
  );
}

function BackToEditing({ drafts }: Pick<ApplyFormProps, 'drafts'>) {
  const [first] = drafts.values();
  if (!first) return null;
  return (
    <Link to="/projects/$name" params={{ name: first.projectName }} className={button.quiet}>
      Back to editing
    </Link>
  );
}
