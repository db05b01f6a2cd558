import { useQueryClient } from '@tanstack/react-query';
import { useActionState } from 'react';
import { changePassword } from '../../data/own-account.ts';
import { ownSessionKeys } from '../../data/own-sessions.ts';
import { sessionQuery } from '../../data/session.ts';
import { ActionError } from '../../ui/action-error.tsx';
import button from '../../ui/button.module.css';
import page from '../../ui/page.module.css';
import styles from './account-page.module.css';

/** The minimum length of a password. The core defines it. */
const LENGTH_MIN = 12;

interface Outcome {
  readonly isChanged: boolean;
  readonly error: unknown;
}

interface PasswordFormProps {
  readonly email: string;
  readonly organization: string | undefined;
}

export function PasswordForm({ email, organization }: PasswordFormProps) {
  const client = useQueryClient();
  const [{ isChanged, error }, submit, isBusy] = useActionState(
    async (_: Outcome, form: FormData): Promise<Outcome> => {
      const typed = (name: string) => String(form.get(name) ?? '');
      try {
        await changePassword({ email, organization, oldPassword: typed('old'), newPassword: typed('new') });
      } catch (sendError) {
        return { isChanged: false, error: sendError };
      }
      await client.fetchQuery({ ...sessionQuery, staleTime: 0 });
      await client.invalidateQueries({ queryKey: ownSessionKeys.all });
      return { isChanged: true, error: null };
    },
    { isChanged: false, error: null },
  );
  return (
    <section className={page.part} aria-labelledby="password">
      <h2 id="password">Password</h2>
      <form className={styles.form} action={submit}>
        <label>
          Current password
          <input name="old" type="password" required autoComplete="current-password" />
        </label>
        <label>
          New password
          <input
            name="new"
            type="password"
            required
            minLength={LENGTH_MIN}
            autoComplete="new-password"
            aria-describedby="password-hint"
          />
        </label>
        <p id="password-hint" className={styles.hint}>
          At least {LENGTH_MIN} characters. You stay signed in here. All your other sessions and tokens end.
        </p>
        {error !== null && <ActionError error={error} />}
        {isChanged && (
          <p role="status" className={styles.done}>
            Password changed. Your other sessions have ended.
          </p>
        )}
        <button type="submit" className={button.plain} disabled={isBusy}>
          {isBusy ? 'Changing …' : 'Change password'}
        </button>
      </form>
    </section>
  );
}
