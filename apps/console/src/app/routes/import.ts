import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { namedPath } from '../../ui/named-path.ts';
import { Trouble } from '../../ui/trouble.tsx';
import { inside, presentOnly } from './inside.ts';

const imported = createRoute({
  getParentRoute: () => inside,
  path: '/projects/$name/import',
  ...namedPath<'name'>(),
  ...presentOnly,
  component: lazyRouteComponent(() => import('../../features/import/import-page.tsx'), 'ImportPage'),
  errorComponent: Trouble,
});

export const importRoutes = [imported] as const;
