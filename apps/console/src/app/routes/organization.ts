import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { inside } from './inside.ts';

const organization = createRoute({
  getParentRoute: () => inside,
  path: '/organization',
  staticData: { title: () => 'Organization' },
  component: lazyRouteComponent(() => import('../../features/organization/organization-page.tsx'), 'OrganizationPage'),
  errorComponent: ErrorMessage,
});

export const organizationRoutes = [organization] as const;
