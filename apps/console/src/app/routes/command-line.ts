import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { viewerQuery } from '../../data/session.ts';
import { parseCommandLineSearch } from '../../features/session/command-line-search.ts';
import { ErrorPage } from '../../ui/error-message.tsx';
import { requireSession, root } from './inside.ts';

/** The page that `strata login` opens. It works without the navigation, because the user returns to the terminal. */
export const commandLineRoute = createRoute({
  getParentRoute: () => root,
  path: '/command-line',
  staticData: { changes: null },
  validateSearch: parseCommandLineSearch,
  beforeLoad: requireSession,
  loader: ({ context: { client } }) => client.ensureQueryData(viewerQuery),
  component: lazyRouteComponent(() => import('../../features/session/command-line-page.tsx'), 'CommandLinePage'),
  errorComponent: ErrorPage,
});
