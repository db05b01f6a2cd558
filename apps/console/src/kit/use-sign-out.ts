import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
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
    if (logoutUrl !== null) return location.assign(logoutUrl);
    await navigate({ to: '/sign-in' });
    clearUserData(client);
  };
}
