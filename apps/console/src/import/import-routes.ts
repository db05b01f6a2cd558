import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { inside } from '../app/inside.ts';
import { Trouble } from '../app/trouble.tsx';

const imported = createRoute({
  getParentRoute: () => inside,
  path: '/projects/$name/import',
  component: lazyRouteComponent(() => import('../import/import-page.tsx'), 'ImportPage'),
  errorComponent: Trouble,
});

export const importRoutes = [imported] as const;
