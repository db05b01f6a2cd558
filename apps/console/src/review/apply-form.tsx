import { Link } from '@tanstack/react-router';
import type { Drafts } from '../drafts/draft.ts';
import { isReady } from '../drafts/draft-operations.ts';
import { tellRefusals } from '../drafts/refusals.ts';
import button from '../ui/button.module.css';
import { type AppliedOutcome, applyDrafts, type WhyApplied } from './apply-drafts.ts';
import { WhyForm } from './why-form.tsx';

interface ApplyFormProps {
  readonly drafts: Drafts;
  /** Of the plan that is shown; null while there is none. */
  readonly planHash: string | null;
  /** Why nothing can be applied now; null where it can. */
  readonly blockedBy: string | null;
  onApplied(outcome: AppliedOutcome): void;
  /** The plan does not hold any more; nothing was stored. */
  onOvertaken(): void;
}

/** Why the drafts are made, and that they are applied. */
export function ApplyForm({ drafts, planHash, blockedBy, onApplied, onOvertaken }: ApplyFormProps) {
  const ready = [...drafts.values()].filter(isReady).length;
  const submit = async (why: WhyApplied): Promise<string | null> => {
    if (planHash === null) return null;
    const outcome = await applyDrafts(drafts, planHash, why);
    if (outcome.kind === 'applied') onApplied(outcome);
    else if (outcome.kind === 'overtaken') onOvertaken();
    else tellRefusals(outcome.byKey);
    return outcome.kind === 'refused' ? outcome.message : null;
  };
  return (
    <WhyForm
      verb={ready === 1 ? 'Apply this change' : `Apply ${ready} changes`}
      busyVerb="Applying …"
      isPossible={ready > 0 && planHash !== null}
      blockedBy={blockedBy}
      submit={submit}
    >
      <BackToEditing drafts={drafts} />
    </WhyForm>
  );
}

function BackToEditing({ drafts }: Pick<ApplyFormProps, 'drafts'>) {
  const [first] = drafts.values();
  if (!first) return null;
  return (
    <Link to="/projects/$name" params={{ name: first.projectName }} className={button.quiet}>
      Go on editing
    </Link>
  );
}
