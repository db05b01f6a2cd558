import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { ErrorPage } from '../../ui/error-message.tsx';
import { root } from './inside.ts';

/**
 * The page of an invitation link, with or without a session. Its token is behind the `#`, because browsers send that part to no server, so
 * that it is in no log and in no `Referer`. The page takes it out of the address when it has read it.
 */
export const invitationRoute = createRoute({
  getParentRoute: () => root,
  path: '/invitations/$id',
  component: lazyRouteComponent(() => import('../../features/invitation/invitation-page.tsx'), 'InvitationPage'),
  errorComponent: ErrorPage,
});
