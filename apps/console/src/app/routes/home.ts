import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { positiveIntegerIn } from '../../ui/search-params.ts';
import { CHANGES } from './changes.ts';
import { inside, presentOnly } from './inside.ts';

const home = createRoute({
  getParentRoute: () => inside,
  path: '/',
  ...presentOnly,
  staticData: { changes: CHANGES.projects, title: () => 'Home' },
  validateSearch: ({ page }: Record<string, unknown>): { page?: number | undefined } => ({
    page: positiveIntegerIn(page),
  }),
  component: lazyRouteComponent(() => import('../pages/home-page.tsx'), 'Home'),
  errorComponent: ErrorMessage,
});

export const homeRoutes = [home] as const;
