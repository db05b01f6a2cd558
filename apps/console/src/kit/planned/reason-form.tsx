import { type ReactNode, startTransition, useActionState } from 'react';
import type { AppliedReason } from '../../data/changesets.ts';
import button from '../../ui/button.module.css';
import { Refusal } from '../../ui/refusal.tsx';
import styles from './reason-form.module.css';

interface WhyFormProps {
  /** The label of the button. */
  readonly verb: string;
  readonly busyVerb: string;
  readonly isPossible: boolean;
  /** The reason why the button is disabled; null if it is enabled. */
  readonly blockedBy: string | null;
  /** Applies the change. Returns an error message if it was rejected. */
  submit(why: AppliedReason): Promise<string | null>;
  readonly children?: ReactNode;
}

/** The error message of the last attempt. */
interface SubmitResult {
  readonly words: string | null;
  readonly error: unknown;
}
const NOTHING_TOLD: SubmitResult = { words: null, error: null };

/** A form for the message and the reference of a change, with the button that applies it. */
export function ReasonForm({ verb, busyVerb, isPossible, blockedBy, submit, children }: WhyFormProps) {
  const [{ words: refused, error }, send, isBusy] = useActionState(
    async (_: SubmitResult, form: FormData): Promise<SubmitResult> => {
      const typed = (name: string) => String(form.get(name) ?? '').trim();
      try {
        const words = await submit({ message: typed('message'), externalRef: typed('externalRef') });
        return { words, error: null };
      } catch (refusal) {
        return { words: null, error: refusal };
      }
    },
    NOTHING_TOLD,
  );
  const words = blockedBy ?? refused;
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        // `onSubmit` instead of `action`, because the typed message must stay after an error.
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        startTransition(() => send(form));
      }}
    >
      <label className={styles.field}>
        Reason (optional, shown in history)
        <textarea name="message" rows={3} maxLength={1_000} autoComplete="off" />
      </label>
      <label className={styles.field}>
        Ticket or commit (optional)
        <input name="externalRef" maxLength={256} autoComplete="off" />
      </label>
      {words !== null && (
        <p className={styles.trouble} role="alert">
          {words}
        </p>
      )}
      {blockedBy === null && error !== null && <Refusal error={error} />}
      <div className={styles.buttons} data-buttons>
        <button type="submit" className={button.main} disabled={isBusy || !isPossible || blockedBy !== null}>
          {isBusy ? busyVerb : verb}
        </button>
        {children}
      </div>
    </form>
  );
}
