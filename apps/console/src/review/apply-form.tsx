import { useActionState } from 'react';
import { isReady } from '../drafts/draft-operations.ts';
import type { DraftsHandle } from '../drafts/drafts.ts';
import { tellRefusals } from '../drafts/refusals.ts';
import { Refused } from '../graphql/ask.ts';
import button from '../ui/button.module.css';
import type { AppliedChange } from './applied.tsx';
import { applyDrafts } from './apply-drafts.ts';
import styles from './apply-form.module.css';

interface ApplyFormProps {
  readonly handle: DraftsHandle;
  /** Why nothing can be applied now; null where it can. */
  readonly blockedBy: string | null;
  onApplied(change: AppliedChange): void;
}

/** Why the changes are made, and that they are. */
export function ApplyForm({ handle, blockedBy, onApplied }: ApplyFormProps) {
  const { drafts } = handle;
  const ready = [...drafts.values()].filter(isReady).length;
  const [trouble, submit, isBusy] = useActionState(async (_: string | null, form: FormData) => {
    const typed = (name: string) => String(form.get(name) ?? '').trim();
    try {
      const outcome = await applyDrafts(drafts, { message: typed('message'), externalRef: typed('externalRef') });
      if (outcome.kind === 'applied') onApplied(outcome);
      else if (outcome.kind === 'refused') tellRefusals(outcome.byKey);
      return outcome.kind === 'applied' ? null : outcome.message;
    } catch (error) {
      if (error instanceof Refused) return error.message;
      throw error;
    }
  }, null);
  const words = blockedBy ?? trouble;
  return (
    <form className={styles.form} action={submit}>
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
      <button type="submit" className={button.main} disabled={isBusy || ready === 0 || blockedBy !== null}>
        {isBusy ? 'Applying …' : ready === 1 ? 'Apply this change' : `Apply ${ready} changes`}
      </button>
    </form>
  );
}
