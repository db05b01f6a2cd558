import { Link } from '@tanstack/react-router';
import { startTransition, useActionState } from 'react';
import type { Drafts } from '../drafts/draft.ts';
import { isReady } from '../drafts/draft-operations.ts';
import { tellRefusals } from '../drafts/refusals.ts';
import { inWords, Refused } from '../graphql/ask.ts';
import button from '../ui/button.module.css';
import { type AppliedOutcome, applyDrafts } from './apply-drafts.ts';
import styles from './apply-form.module.css';

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

/** Why the changes are made, and that they are. */
export function ApplyForm({ drafts, planHash, blockedBy, onApplied, onOvertaken }: ApplyFormProps) {
  const ready = [...drafts.values()].filter(isReady).length;
  const [trouble, submit, isBusy] = useActionState(async (_: string | null, form: FormData) => {
    const typed = (name: string) => String(form.get(name) ?? '').trim();
    const why = { message: typed('message'), externalRef: typed('externalRef') };
    if (planHash === null) return null;
    try {
      const outcome = await applyDrafts(drafts, planHash, why);
      if (outcome.kind === 'applied') onApplied(outcome);
      else if (outcome.kind === 'overtaken') onOvertaken();
      else tellRefusals(outcome.byKey);
      return outcome.kind === 'refused' ? outcome.message : null;
    } catch (error) {
      if (error instanceof Refused) return inWords(error);
      throw error;
    }
  }, null);
  const words = blockedBy ?? trouble;
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        // Not by `action`, which would empty the fields: what was typed stays when something is refused.
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        startTransition(() => submit(form));
      }}
    >
      <label className={styles.field}>
        Why (kept in the history)
        <textarea name="message" rows={3} maxLength={1_000} autoComplete="off" />
      </label>
      <label className={styles.field}>
        Ticket or commit
        <input name="externalRef" maxLength={256} autoComplete="off" />
      </label>
      {words !== null && (
        <p className={styles.trouble} role="alert">
          {words}
        </p>
      )}
      <button
        type="submit"
        className={button.main}
        disabled={isBusy || ready === 0 || planHash === null || blockedBy !== null}
      >
        {isBusy ? 'Applying …' : ready === 1 ? 'Apply this change' : `Apply ${ready} changes`}
      </button>
      <BackToEditing drafts={drafts} />
    </form>
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
