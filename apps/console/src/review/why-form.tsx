import { type ReactNode, startTransition, useActionState } from 'react';
import { inWords, Refused } from '../graphql/ask.ts';
import button from '../ui/button.module.css';
import type { WhyApplied } from './apply-drafts.ts';
import styles from './why-form.module.css';

interface WhyFormProps {
  /** What the button says. */
  readonly verb: string;
  readonly busyVerb: string;
  readonly isPossible: boolean;
  /** Why nothing can be done now; null where it can. */
  readonly blockedBy: string | null;
  /** Answers what is to be said where it was not done. */
  submit(why: WhyApplied): Promise<string | null>;
  readonly children?: ReactNode;
}

/** Why changes are made, and that they are. */
export function WhyForm({ verb, busyVerb, isPossible, blockedBy, submit, children }: WhyFormProps) {
  const [trouble, send, isBusy] = useActionState(async (_: string | null, form: FormData) => {
    const typed = (name: string) => String(form.get(name) ?? '').trim();
    try {
      return await submit({ message: typed('message'), externalRef: typed('externalRef') });
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
        startTransition(() => send(form));
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
      <button type="submit" className={button.main} disabled={isBusy || !isPossible || blockedBy !== null}>
        {isBusy ? busyVerb : verb}
      </button>
      {children}
    </form>
  );
}
