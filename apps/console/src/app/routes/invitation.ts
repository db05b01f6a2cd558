import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { ErrorPage } from '../../ui/error-message.tsx';
import { root } from './inside.ts';

/**
 * The page of an invitation link, with or without a session. The token is in the fragment of the URL, which browsers never send, so it
 * appears in no log and no `Referer`. The page removes it from the URL after reading it.
 */
export const invitationRoute = createRoute({
  getParentRoute: () => root,
  path: '/invitations/$id',
  staticData: { changes: null },
  component: lazyRouteComponent(() => import('../../features/invitation/invitation-page.tsx'), 'InvitationPage'),
  errorComponent: ErrorPage,
});
