import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router';
import { environmentsQuery } from '../environments/environments.ts';
import { matrixSearchIn } from '../matrix/matrix-search.ts';
import { momentIn, momentText } from '../moment/moment.ts';
import { momentQuery } from '../moment/use-moment.ts';
import { projectsQuery } from '../projects/projects.ts';
import { isNotPossibleHere, isSignedIn, viewerQuery } from '../session/session.ts';
import { SignInPage } from '../session/sign-in-page.tsx';
import { createQueryClient } from './query-client.ts';
import { Shell } from './shell.tsx';
import { Trouble, TroublePage } from './trouble.tsx';

interface RootContext {
  readonly client: QueryClient;
  /** Leads to the door, and back once somebody has signed in. */
  onSignedOut(): void;
}

const root = createRootRouteWithContext<RootContext>()({ component: Outlet });

const text = (given: unknown): string | undefined => (typeof given === 'string' && given !== '' ? given : undefined);

/** Within the console only: an address that somebody else wrote leads nowhere else. */
const ownPath = (given: unknown): string | undefined =>
  typeof given === 'string' && /^\/(?![/\\])/.test(given) ? given : undefined;

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: ({ back }: Record<string, unknown>): { back?: string | undefined } => ({ back: ownPath(back) }),
  component: SignInPage,
});

/** Everything that needs somebody. What the shell shows is there before the page is. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  validateSearch: ({ at }: Record<string, unknown>): { at?: string | undefined } => ({
    at: momentText(momentIn(text(at))),
  }),
  // The point in time stays while one goes from page to page.
  search: { middlewares: [retainSearchParams(['at'])] },
  loaderDeps: ({ search: { at } }) => ({ at }),
  beforeLoad: async ({ context: { client }, location }) => {
    if (client.getQueryData(viewerQuery.queryKey)) return;
    const signedIn = await isSignedIn().catch((error: unknown) => {
      if (isNotPossibleHere(error)) return false;
      throw error;
    });
    if (!signedIn) throw redirect({ to: '/sign-in', search: { back: location.href } });
  },
  loader: async ({ context: { client }, deps: { at } }) => {
    const moment = await client.ensureQueryData(momentQuery(at));
    await Promise.all([
      client.ensureQueryData(viewerQuery),
      client.ensureQueryData(projectsQuery(moment)),
      client.ensureQueryData(environmentsQuery(moment)),
    ]);
  },
  component: Shell,
  errorComponent: TroublePage,
});

const home = createRoute({
  getParentRoute: () => inside,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/projects' });
  },
});

const projects = createRoute({
  getParentRoute: () => inside,
  path: '/projects',
  component: lazyRouteComponent(() => import('../projects/projects-page.tsx'), 'ProjectsPage'),
});

const project = createRoute({
  getParentRoute: () => inside,
  path: '/projects/$name',
  validateSearch: matrixSearchIn,
  component: lazyRouteComponent(() => import('../matrix/matrix-page.tsx'), 'MatrixPage'),
  errorComponent: Trouble,
});

const review = createRoute({
  getParentRoute: () => inside,
  path: '/review',
  component: lazyRouteComponent(() => import('../review/review-page.tsx'), 'ReviewPage'),
  errorComponent: Trouble,
});

const client = createQueryClient(onSignedOut);

function onSignedOut(): void {
  client.clear();
  const back = ownPath(router.state.location.href);
  if (router.state.location.pathname !== '/sign-in') void router.navigate({ to: '/sign-in', search: { back } });
}

export const router = createRouter({
  routeTree: root.addChildren([signIn, inside.addChildren([home, projects, project, review])]),
  context: { client, onSignedOut },
  defaultPreload: 'intent',
  // A style element of the router's own would break the policy.
  scrollRestoration: false,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
