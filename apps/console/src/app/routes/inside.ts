import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, Outlet, redirect, retainSearchParams } from '@tanstack/react-router';
import { environmentsQuery } from '../../data/environments.ts';
import { preferencesQuery } from '../../data/preferences.ts';
import { projectsQuery } from '../../data/projects.ts';
import { isOrganizationUnchosen, isSignInUnavailable, sessionQuery, viewerQuery } from '../../data/session.ts';
import { pointInTimeQuery } from '../../data/use-point-in-time.ts';
import { formatPointInTime, parsePointInTime } from '../../lib/point-in-time.ts';
import { ErrorPage } from '../../ui/error-message.tsx';
import { parseText } from '../../ui/search-params.ts';
import { Shell } from '../shell.tsx';

interface RootContext {
  readonly client: QueryClient;
  /** Redirects to the sign-in page, which returns to this URL afterwards. */
  onSignedOut(): void;
}

export const root = createRootRouteWithContext<RootContext>()({
  staticData: { changes: null },
  component: Outlet,
});

/** Opens the sign-in page, which returns to this URL afterwards, if the browser has no session. */
export async function requireSession({ context: { client }, location }: SessionRequest): Promise<void> {
  if (client.getQueryData(viewerQuery.queryKey)) return;
  const sessionState = await client.fetchQuery({ ...sessionQuery, staleTime: 0 }).catch((error: unknown) => {
    if (isSignInUnavailable(error)) return null;
    throw error;
  });
  if (!sessionState?.signedIn) throw redirect({ to: '/sign-in', search: { back: location.href } });
  // The user may still have to choose an organization after signing in in another tab.
  if (isOrganizationUnchosen()) throw redirect({ to: '/sign-in/organization', search: { back: location.href } });
}

interface SessionRequest {
  readonly context: RootContext;
  readonly location: { readonly href: string };
}

/** The parent route of all pages that need a session. Its loader fetches the data of the shell before the page. */
export const signedInRoute = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  staticData: { changes: null },
  validateSearch: ({ at }: Record<string, unknown>): { at?: string | undefined } => ({
    at: formatPointInTime(parsePointInTime(parseText(at))),
  }),
  // Links keep the selected point in time.
  search: { middlewares: [retainSearchParams(['at'])] },
  loaderDeps: ({ search: { at } }) => ({ at }),
  beforeLoad: requireSession,
  loader: async ({ context: { client }, deps: { at } }) => {
    const pointInTime = await client.ensureQueryData(pointInTimeQuery(at));
    await Promise.all([
      client.ensureQueryData(viewerQuery),
      client.ensureQueryData(projectsQuery(pointInTime)),
      client.ensureQueryData(environmentsQuery(pointInTime)),
      // Without it, the navigation works but has no recents.
      client.prefetchQuery(preferencesQuery),
    ]);
  },
  component: Shell,
  errorComponent: ErrorPage,
});

/** Leaves time travel on pages that only show the present. */
export const currentStateOnly = {
  beforeLoad: ({ search: { at, ...search }, location }: PresentRequest) => {
    if (at !== undefined) throw redirect({ to: location.pathname, search: { ...search, at: undefined } as never });
  },
};

interface PresentRequest {
  readonly search: { readonly at?: string | undefined };
  readonly location: { readonly pathname: string };
}
