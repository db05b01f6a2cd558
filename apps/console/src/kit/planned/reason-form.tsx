import { type ReactNode, startTransition, useActionState } from 'react';
import type { AppliedReason } from '../../data/changesets.ts';
import button from '../../ui/button.module.css';
import { Refusal } from '../../ui/refusal.tsx';
import styles from './reason-form.module.css';

interface WhyFormProps {
  /** What the button says. */
  readonly verb: string;
  readonly busyVerb: string;
  readonly isPossible: boolean;
  /** Why nothing can be done now; null where it can. */
  readonly blockedBy: string | null;
  /** Answers what is to be said where it was not done. */
  submit(why: AppliedReason): Promise<string | null>;
  readonly children?: ReactNode;
}

/** What is said after an attempt. */
interface Told {
  readonly words: string | null;
  readonly error: unknown;
}
const NOTHING_TOLD: Told = { words: null, error: null };

/** Why changes are made, and that they are. */
export function ReasonForm({ verb, busyVerb, isPossible, blockedBy, submit, children }: WhyFormProps) {
  const [{ words: refused, error }, send, isBusy] = useActionState(async (_: Told, form: FormData): Promise<Told> => {
    const typed = (name: string) => String(form.get(name) ?? '').trim();
    try {
      const words = await submit({ message: typed('message'), externalRef: typed('externalRef') });
      return { words, error: null };
    } catch (refusal) {
      return { words: null, error: refusal };
    }
  }, NOTHING_TOLD);
  const words = blockedBy ?? refused;
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        // Not by `action`, which would empty the fields: what was typed stays when something is refused.
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
