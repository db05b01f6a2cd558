import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { clearUnanswered } from '../data/changesets.ts';
import { signOut } from '../data/session.ts';
import { clearUserData } from './clear-user-data.ts';
import { clearDrafts } from './drafts/drafts.ts';

/** Signs out in this browser, and opens the sign-in page or the page on which the identity provider ends its session. */
export function useSignOut() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async (): Promise<void> => {
    const logoutUrl = await signOut(client);
    clearDrafts();
    clearUnanswered();
    if (logoutUrl !== null) {
      location.assign(logoutUrl);
      // Never resolves, because the page is being replaced.
      return new Promise(() => undefined);
    }
    await navigate({ to: '/sign-in' });
    clearUserData(client);
  };
}
