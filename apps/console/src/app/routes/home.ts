import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { parsePositiveInteger } from '../../ui/search-params.ts';
import { CHANGES } from './changes.ts';
import { currentStateOnly, signedInRoute } from './inside.ts';

const home = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  ...currentStateOnly,
  staticData: { changes: CHANGES.projects, title: () => 'Home' },
  validateSearch: ({ page }: Record<string, unknown>): { page?: number | undefined } => ({
    page: parsePositiveInteger(page),
  }),
  component: lazyRouteComponent(() => import('../pages/home-page.tsx'), 'Home'),
  errorComponent: ErrorMessage,
});

export const homeRoutes = [home] as const;
