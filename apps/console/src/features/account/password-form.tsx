import { useMutation, useQueryClient } from '@tanstack/react-query';
import { changePassword } from '../../data/own-account.ts';
import { ownSessionKeys } from '../../data/own-sessions.ts';
import { sessionQuery } from '../../data/session.ts';
import { ActionError } from '../../ui/action-error.tsx';
import button from '../../ui/button.module.css';
import page from '../../ui/page.module.css';
import styles from './account-page.module.css';

/** The minimum length of a password. The core defines it. */
const LENGTH_MIN = 12;

interface PasswordFormProps {
  readonly email: string;
  readonly organization: string | undefined;
}

export function PasswordForm({ email, organization }: PasswordFormProps) {
  const client = useQueryClient();
  const { mutate, error, isPending, isSuccess } = useMutation({
    mutationFn: async (form: FormData) => {
      const readField = (name: string) => String(form.get(name) ?? '');
      const passwords = { oldPassword: readField('old'), newPassword: readField('new') };
      // The form stays in the mutation cache while the page is open.
      for (const name of ['old', 'new']) form.delete(name);
      await changePassword({ email, organization, ...passwords });
      // The password has changed even if these requests fail.
      await Promise.allSettled([
        client.fetchQuery({ ...sessionQuery, staleTime: 0 }),
        client.invalidateQueries({ queryKey: ownSessionKeys.all }),
      ]);
    },
  });
  return (
    <section className={page.part} aria-labelledby="password">
      <h2 id="password">Password</h2>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          mutate(new FormData(form), { onSettled: () => form.reset() });
        }}
      >
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
        {isSuccess && (
          <p role="status" className={styles.done}>
            Password changed. Your other sessions have ended.
          </p>
        )}
        <button type="submit" className={button.plain} disabled={isPending}>
          {isPending ? 'Changing …' : 'Change password'}
        </button>
      </form>
    </section>
  );
}
