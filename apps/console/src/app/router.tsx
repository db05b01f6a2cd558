import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { environmentsQuery } from '../environments/environments.ts';
import { projectsQuery } from '../projects/projects.ts';
import { isNotPossibleHere, isSignedIn, viewerQuery } from '../session/session.ts';
import { SignInPage } from '../session/sign-in-page.tsx';
import { createQueryClient } from './query-client.ts';
import { Shell } from './shell.tsx';
import { Trouble } from './trouble.tsx';

const root = createRootRouteWithContext<{ readonly client: QueryClient }>()({ component: Outlet });

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
  beforeLoad: async ({ context: { client }, location }) => {
    if (client.getQueryData(viewerQuery.queryKey)) return;
    const signedIn = await isSignedIn().catch((error: unknown) => {
      if (isNotPossibleHere(error)) return false;
      throw error;
    });
    if (!signedIn) throw redirect({ to: '/sign-in', search: { back: location.href } });
  },
  loader: async ({ context: { client } }) => {
    await Promise.all([client.ensureQueryData(viewerQuery), client.ensureQueryData(projectsQuery)]);
  },
  component: Shell,
  errorComponent: Trouble,
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

export interface ProjectSearch {
  /** What is looked for in names and values. */
  readonly q?: string | undefined;
  /** Name of the environment that a narrow screen shows. */
  readonly env?: string | undefined;
}

const project = createRoute({
  getParentRoute: () => inside,
  path: '/projects/$name',
  validateSearch: ({ q, env }: Record<string, unknown>): ProjectSearch => ({ q: text(q), env: text(env) }),
  loader: ({ context: { client } }) => client.ensureQueryData(environmentsQuery),
  component: lazyRouteComponent(() => import('../values/project-page.tsx'), 'ProjectPage'),
  errorComponent: Trouble,
});

const client = createQueryClient(() => {
  client.clear();
  const back = ownPath(router.state.location.href);
  if (router.state.location.pathname !== '/sign-in') void router.navigate({ to: '/sign-in', search: { back } });
});

export const router = createRouter({
  routeTree: root.addChildren([signIn, inside.addChildren([home, projects, project])]),
  context: { client },
  defaultPreload: 'intent',
  // A style element of the router's own would break the policy.
  scrollRestoration: false,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
