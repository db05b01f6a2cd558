import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { inside, presentOnly } from '../app/inside.ts';
import { namedPath } from '../app/named-path.ts';
import { Trouble } from '../app/trouble.tsx';

const imported = createRoute({
  getParentRoute: () => inside,
  path: '/projects/$name/import',
  ...namedPath<'name'>(),
  ...presentOnly,
  component: lazyRouteComponent(() => import('../import/import-page.tsx'), 'ImportPage'),
  errorComponent: Trouble,
});

export const importRoutes = [imported] as const;
