import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { inside } from '../app/inside.ts';
import { Trouble } from '../app/trouble.tsx';

const organization = createRoute({
  getParentRoute: () => inside,
  path: '/organization',
  staticData: { title: () => 'Organization' },
  component: lazyRouteComponent(() => import('../organization/organization-page.tsx'), 'OrganizationPage'),
  errorComponent: Trouble,
});

export const organizationRoutes = [organization] as const;
