import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../app/inside.ts';
import { ownPathIn } from '../app/search-params.ts';
import { TroublePage } from '../app/trouble.tsx';

/** After the password, where nothing tells which of their organizations somebody wants. */
export const choiceRoute = createRoute({
  getParentRoute: () => root,
  path: '/sign-in/organization',
  validateSearch: ({ back }: Record<string, unknown>): { back?: string | undefined } => ({ back: ownPathIn(back) }),
  component: lazyRouteComponent(() => import('../organization/choose-organization-page.tsx'), 'ChooseOrganizationPage'),
  errorComponent: TroublePage,
});
