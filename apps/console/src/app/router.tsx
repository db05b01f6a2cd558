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
import { isNotPossibleHere, sessionQuery, viewerQuery } from '../session/session.ts';
import { SignInPage } from '../session/sign-in-page.tsx';
import { NotFound } from './not-found.tsx';
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
    const signedIn = await client.fetchQuery({ ...sessionQuery, staleTime: 0 }).catch((error: unknown) => {
      if (isNotPossibleHere(error)) return null;
      throw error;
    });
    if (!signedIn?.signedIn) throw redirect({ to: '/sign-in', search: { back: location.href } });
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
  staticData: { title: () => 'Review' },
  component: lazyRouteComponent(() => import('../review/review-page.tsx'), 'ReviewPage'),
  errorComponent: Trouble,
});

const start = createRoute({
  getParentRoute: () => inside,
  path: '/start',
  staticData: { title: () => 'New project' },
  loader: ({ context: { client } }) => client.ensureQueryData(environmentsQuery()),
  component: lazyRouteComponent(() => import('../first-run/first-run-page.tsx'), 'FirstRunPage'),
  errorComponent: Trouble,
});

const account = createRoute({
  getParentRoute: () => inside,
  path: '/account',
  staticData: { title: () => 'Account' },
  component: lazyRouteComponent(() => import('../account/account-page.tsx'), 'AccountPage'),
});

export interface HistorySearch {
  /** Name of a project, id of a user. */
  readonly project?: string | undefined;
  readonly actor?: string | undefined;
  /** A day. */
  readonly since?: string | undefined;
  /** Words of the message. */
  readonly q?: string | undefined;
  /** Where the page begins. */
  readonly after?: string | undefined;
}

const day = (given: unknown): string | undefined =>
  /^\d{4}-\d{2}-\d{2}$/.test(String(given)) ? String(given) : undefined;
const whole = (given: unknown): number | undefined =>
  Number.isSafeInteger(Number(given)) && Number(given) > 0 ? Number(given) : undefined;

const history = createRoute({
  getParentRoute: () => inside,
  path: '/history',
  staticData: { title: () => 'History' },
  validateSearch: ({ project, actor, since, q, after }: Record<string, unknown>): HistorySearch => ({
    project: text(project),
    actor: text(actor),
    since: day(since),
    q: text(q),
    after: text(after),
  }),
  component: lazyRouteComponent(() => import('../history/history-page.tsx'), 'HistoryPage'),
  errorComponent: Trouble,
});

const changeset = createRoute({
  getParentRoute: () => inside,
  path: '/history/$revision',
  staticData: { title: ({ revision = '' }) => `Revision ${revision}`, above: { to: '/history', title: 'History' } },
  validateSearch: ({ after }: Record<string, unknown>): { after?: string | undefined } => ({ after: text(after) }),
  component: lazyRouteComponent(() => import('../history/changeset-page.tsx'), 'ChangesetPage'),
  errorComponent: Trouble,
});

const revert = createRoute({
  getParentRoute: () => inside,
  path: '/history/$revision/revert',
  staticData: {
    title: ({ revision = '' }) => `Revert revision ${revision}`,
    above: { to: '/history', title: 'History' },
  },
  component: lazyRouteComponent(() => import('../revert/revert-page.tsx'), 'RevertPage'),
  errorComponent: Trouble,
});

export interface ReturnSearch {
  /** A revision. */
  readonly to?: number | undefined;
  /** One of these; a parameter by its id. */
  readonly project?: string | undefined;
  readonly environment?: string | undefined;
  readonly parameter?: string | undefined;
  /** Of the parameter, as people call it. */
  readonly name?: string | undefined;
}

const returned = createRoute({
  getParentRoute: () => inside,
  path: '/history/return',
  staticData: { title: () => 'As it was', above: { to: '/history', title: 'History' } },
  validateSearch: ({ to, project, environment, parameter, name }: Record<string, unknown>): ReturnSearch => ({
    to: whole(to),
    project: text(project),
    environment: text(environment),
    parameter: text(parameter),
    name: text(name),
  }),
  component: lazyRouteComponent(() => import('../revert/revert-page.tsx'), 'ReturnPage'),
  errorComponent: Trouble,
});

export interface CompareSearch {
  readonly project?: string | undefined;
  /** Revisions. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly after?: string | undefined;
}

const compared = createRoute({
  getParentRoute: () => inside,
  path: '/history/compare',
  staticData: { title: () => 'Compare', above: { to: '/history', title: 'History' } },
  validateSearch: ({ project, from, to, after }: Record<string, unknown>): CompareSearch => ({
    project: text(project),
    from: whole(from),
    to: whole(to),
    after: text(after),
  }),
  component: lazyRouteComponent(() => import('../history/compare-page.tsx'), 'ComparePage'),
  errorComponent: Trouble,
});

const environmentHistory = createRoute({
  getParentRoute: () => inside,
  path: '/history/environments/$environment',
  staticData: { title: ({ environment = '' }) => environment, above: { to: '/history', title: 'History' } },
  validateSearch: ({ after }: Record<string, unknown>): { after?: string | undefined } => ({ after: text(after) }),
  loader: ({ context: { client } }) => client.ensureQueryData(environmentsQuery()),
  component: lazyRouteComponent(() => import('../history/environment-history-page.tsx'), 'EnvironmentHistoryPage'),
  errorComponent: Trouble,
});

const parameterHistory = createRoute({
  getParentRoute: () => inside,
  path: '/projects/$name/history/$parameter',
  staticData: { title: ({ parameter = '' }) => parameter, above: { to: '/history', title: 'History' } },
  validateSearch: ({ before }: Record<string, unknown>): { before?: string | undefined } => ({ before: text(before) }),
  component: lazyRouteComponent(() => import('../history/parameter-history-page.tsx'), 'ParameterHistoryPage'),
  errorComponent: Trouble,
});

const client = createQueryClient(onSignedOut);

function onSignedOut(): void {
  client.clear();
  const back = ownPath(router.state.location.href);
  if (router.state.location.pathname !== '/sign-in') void router.navigate({ to: '/sign-in', search: { back } });
}

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    inside.addChildren([
      home,
      projects,
      project,
      start,
      account,
      history,
      changeset,
      revert,
      returned,
      compared,
      environmentHistory,
      parameterHistory,
      review,
    ]),
  ]),
  context: { client, onSignedOut },
  defaultPreload: 'intent',
  defaultNotFoundComponent: NotFound,
  // A style element of the router's own would break the policy.
  scrollRestoration: false,
});

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** What the page is called, above it and in the browser's tab. */
    readonly title?: (params: Readonly<Record<string, string | undefined>>) => string;
    /** The page that it lies below. */
    readonly above?: { readonly to: '/history' | '/projects'; readonly title: string };
  }
  interface Register {
    router: typeof router;
  }
}
