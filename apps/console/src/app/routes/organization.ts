import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { CHANGES } from './changes.ts';
import { signedInRoute } from './inside.ts';

const organization = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/organization',
  staticData: { changes: CHANGES.organization, title: () => 'Organization', isAlwaysNow: true },
  component: lazyRouteComponent(() => import('../../features/organization/organization-page.tsx'), 'OrganizationPage'),
  errorComponent: ErrorMessage,
});

export const organizationRoutes = [organization] as const;
