import { createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { environmentsQuery } from '../../data/environments.ts';
import type { PageChanges } from '../../data/read-only.ts';
import type { ShownRolloutScope } from '../../data/rollouts.ts';
import { pendingRenewal, sessionQuery } from '../../data/session.ts';
import { parseReviewSearch } from '../../features/review/review-search.ts';
import { SignInPage } from '../../features/session/sign-in-page.tsx';
import { clearUserData } from '../../kit/clear-user-data.ts';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { parseConsolePath, parseText } from '../../ui/search-params.ts';
import { parseSearchText, searchText } from '../../ui/search-text.ts';
import { NotFound } from '../not-found.tsx';
import { createQueryClient } from '../query-client.ts';
import { accessRoutes } from './access.ts';
import { CHANGES } from './changes.ts';
import { choiceRoute } from './choose-organization.ts';
import { commandLineRoute } from './command-line.ts';
import { compareRoutes } from './compare.ts';
import { connectRoutes } from './connect.ts';
import { destinationsRoutes } from './destinations.ts';
import { environmentRoutes } from './environments.ts';
import { exportRoutes } from './export.ts';
import { historyRoutes } from './history.ts';
import { homeRoutes } from './home.ts';
import { importRoutes } from './import.ts';
import { currentStateOnly, root, signedInRoute } from './inside.ts';
import { instancesRoutes } from './instances.ts';
import { integrationRoutes } from './integrations.ts';
import { invitationRoute } from './invitation.ts';
import { lintRoutes } from './lint.ts';
import { organizationRoutes } from './organization.ts';
import { parameterRoutes } from './parameters.ts';
import { projectRoutes } from './projects.ts';
import { revertRoutes } from './revert.ts';
import { rotationRoutes } from './rotations.ts';
import { searchRoutes } from './search.ts';
import { templateRoutes } from './templates.ts';
import { typesRoutes } from './types.ts';
import { webhooksRoutes } from './webhooks.ts';

const client = createQueryClient(onSignedOut);

interface SignInSearch {
  readonly back?: string | undefined;
  /** The code of the error with which the sign-in with an identity provider ended. */
  readonly problem?: string | undefined;
}

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  staticData: { changes: null },
  validateSearch: ({ back, problem }: Record<string, unknown>): SignInSearch => {
    const path = parseConsolePath(back);
    return { back: path?.startsWith('/sign-in') ? undefined : path, problem: parseText(problem) };
  },
  beforeLoad: async ({ search: { back } }) => {
    // A user who opens this URL with a session is redirected to the console. A navigation within the console means that a new session is
    // needed.
    if (!isFirstPage()) return;
    const session = await client.fetchQuery(sessionQuery).catch(() => null);
    if (session?.signedIn) throw redirect({ href: back ?? '/' });
  },
  component: SignInPage,
});

const review = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/review',
  ...currentStateOnly,
  staticData: { changes: CHANGES.values, title: () => 'Review' },
  validateSearch: parseReviewSearch,
  component: lazyRouteComponent(() => import('../../features/review/review-page.tsx'), 'ReviewPage'),
  errorComponent: ErrorMessage,
});

const start = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/start',
  ...currentStateOnly,
  staticData: { changes: CHANGES.projects, title: () => 'Create project' },
  loader: ({ context: { client } }) => client.ensureQueryData(environmentsQuery()),
  component: lazyRouteComponent(() => import('../pages/first-run-page.tsx'), 'FirstRun'),
  errorComponent: ErrorMessage,
});

const account = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account',
  ...currentStateOnly,
  staticData: { changes: null, title: () => 'Account' },
  component: lazyRouteComponent(() => import('../../features/account/account-page.tsx'), 'AccountPage'),
});

/** Every other URL. The page keeps the navigation. */
const unknown = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/$',
  staticData: { changes: null, title: () => 'Page not found' },
  component: NotFound,
});

const isFirstPage = (): boolean => router.state.resolvedLocation === undefined;

function onSignedOut(): void {
  const renewal = pendingRenewal();
  if (renewal) {
    // This tab is replacing the session, so its requests are repeated afterwards.
    const refetchAll = () => void client.invalidateQueries();
    renewal.then(refetchAll, refetchAll);
    return;
  }
  if (router.state.location.pathname === '/sign-in') {
    clearUserData(client);
    return;
  }
  const back = parseConsolePath(router.state.location.href);
  // The cache is cleared only after the pages are unmounted, because mounted pages would query it again and fail.
  void router.navigate({ to: '/sign-in', search: { back } }).finally(() => clearUserData(client));
}

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    choiceRoute,
    commandLineRoute,
    invitationRoute,
    signedInRoute.addChildren([
      ...homeRoutes,
      start,
      account,
      review,
      ...projectRoutes,
      ...templateRoutes,
      ...typesRoutes,
      ...parameterRoutes,
      ...environmentRoutes,
      ...historyRoutes,
      ...revertRoutes,
      ...compareRoutes,
      ...importRoutes,
      ...exportRoutes,
      ...rotationRoutes,
      ...webhooksRoutes,
      ...destinationsRoutes,
      ...integrationRoutes,
      ...lintRoutes,
      ...instancesRoutes,
      ...connectRoutes,
      ...accessRoutes,
      ...organizationRoutes,
      ...searchRoutes,
      unknown,
    ]),
  ]),
  context: { client, onSignedOut },
  defaultPreload: 'intent',
  parseSearch: parseSearchText,
  stringifySearch: searchText,
  // Scroll restoration would add a style element, which violates the content security policy.
  scrollRestoration: false,
});

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The title of the page and of the browser tab. */
    readonly title?: (params: Readonly<Record<string, string | undefined>>) => string;
    /** The objects that the page changes, to say why it is read-only for some users; null if the page changes nothing. */
    readonly changes: PageChanges | null;
    /** Whether the page supports time travel. */
    readonly hasPast?: boolean;
    /** Whether the page shows the current state during time travel. */
    readonly isAlwaysNow?: boolean;
    /** The parent page in the breadcrumbs. */
    readonly above?: {
      readonly to:
        | '/access'
        | '/environments'
        | '/history'
        | '/integrations'
        | '/projects'
        | '/rotations'
        | '/types'
        | '/webhooks';
      readonly title: string;
    };
  }
  interface HistoryState {
    /** The revision of the action that navigated here. The page shows it once. */
    readonly applied?: number;
    /** The first configurations that this action changed, and the number of all of them. */
    readonly scopes?: readonly ShownRolloutScope[];
    readonly scopeCount?: number;
    /** The names of the parameters to export. They may be too many for an address. */
    readonly names?: readonly string[];
  }
  interface Register {
    router: typeof router;
  }
}
