import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { signOutEverywhere } from '../../data/own-account.ts';
import { sessionQuery } from '../../data/session.ts';
import { useDrafts } from '../../kit/drafts/drafts.ts';
import { SignOutDialog } from '../../kit/sign-out-dialog.tsx';
import { useSignOut } from '../../kit/use-sign-out.ts';
import { ActionError } from '../../ui/action-error.tsx';
import button from '../../ui/button.module.css';
import page from '../../ui/page.module.css';
import { When } from '../../ui/when.tsx';
import styles from './account-page.module.css';
import { SessionList } from './session-list.tsx';

/** Lists the sessions of the user, and ends one or all of them. */
export function Sessions({ isPerson }: { readonly isPerson: boolean }) {
  const { data: session } = useQuery({ ...sessionQuery, enabled: false });
  const signOut = useSignOut();
  const { drafts } = useDrafts();
  const [confirming, setConfirming] = useState<'here' | 'everywhere' | null>(null);
  const { mutate: leave, error } = useMutation({
    mutationFn: async (isEverywhere: boolean) => {
      if (isEverywhere) await signOutEverywhere();
      // Deletes the cookie as well.
      await signOut();
    },
  });
  return (
    <section className={page.part} aria-labelledby="sessions">
      <h2 id="sessions">Where you are signed in</h2>
      <SessionList leave={signOut} />
      {session?.endsAt && (
        <p className={styles.hint}>
          The session of this browser expires <When at={session.endsAt} as="upcoming" />.
        </p>
      )}
      <div className={styles.buttons}>
        <button
          type="button"
          className={button.plain}
          onClick={() => (drafts.size > 0 ? setConfirming('here') : leave(false))}
        >
          Sign out here
        </button>
        {isPerson && confirming !== 'everywhere' && (
          <button type="button" className={button.danger} onClick={() => setConfirming('everywhere')}>
            Sign out everywhere …
          </button>
        )}
      </div>
      {confirming === 'everywhere' && (
        <section className={styles.asked} aria-label="Sign out everywhere">
          <p>
            All your sessions and tokens end within one second, in every browser and organization, including this one.
            API keys stay valid.{drafts.size > 0 && ' Unapplied changes are discarded.'}
          </p>
          <div className={styles.buttons}>
            <button type="button" className={button.danger} onClick={() => leave(true)}>
              Sign out everywhere
            </button>
            <button type="button" className={button.quiet} onClick={() => setConfirming(null)}>
              Cancel
            </button>
          </div>
        </section>
      )}
      {confirming === 'here' && (
        <SignOutDialog count={drafts.size} onSignOut={() => leave(false)} onClose={() => setConfirming(null)} />
      )}
      {error !== null && <ActionError error={error} />}
    </section>
  );
}
