import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { ErrorPage } from '../../ui/error-message.tsx';
import { parseConsolePath } from '../../ui/search-params.ts';
import { root } from './inside.ts';

/** The page after sign-in for users of several organizations. It is skipped if the sign-in or the browser's last session determines one. */
export const choiceRoute = createRoute({
  getParentRoute: () => root,
  path: '/sign-in/organization',
  staticData: { changes: null },
  validateSearch: ({ back }: Record<string, unknown>): { back?: string | undefined } => ({
    back: parseConsolePath(back),
  }),
  component: lazyRouteComponent(
    () => import('../../features/organization/choose-organization-page.tsx'),
    'ChooseOrganizationPage',
  ),
  errorComponent: ErrorPage,
});
