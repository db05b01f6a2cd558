import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, Outlet, redirect, retainSearchParams } from '@tanstack/react-router';
import { environmentsQuery } from '../../data/environments.ts';
import { projectsQuery } from '../../data/projects.ts';
import { isNotPossibleHere, isOrganizationUnchosen, sessionQuery, viewerQuery } from '../../data/session.ts';
import { momentQuery } from '../../data/use-moment.ts';
import { momentIn, momentText } from '../../lib/moment.ts';
import { ErrorPage } from '../../ui/error-message.tsx';
import { textIn } from '../../ui/search-params.ts';
import { Shell } from '../shell.tsx';

interface RootContext {
  readonly client: QueryClient;
  /** Leads to the door, and back once somebody has signed in. */
  onSignedOut(): void;
}

export const root = createRootRouteWithContext<RootContext>()({ component: Outlet });

/** Everything that needs somebody. What the shell shows is there before the page is. */
export const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  validateSearch: ({ at }: Record<string, unknown>): { at?: string | undefined } => ({
    at: momentText(momentIn(textIn(at))),
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
    // In whichever tab, and however one comes here.
    if (isOrganizationUnchosen()) throw redirect({ to: '/sign-in/organization', search: { back: location.href } });
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
  errorComponent: ErrorPage,
});

/** For pages that are about now, whatever point in time one comes from: time travel ends there, and what they say is true. */
export const presentOnly = {
  beforeLoad: ({ search: { at, ...search }, location }: PresentRequest) => {
    if (at !== undefined) throw redirect({ to: location.pathname, search: { ...search, at: undefined } as never });
  },
};

interface PresentRequest {
  readonly search: { readonly at?: string | undefined };
  readonly location: { readonly pathname: string };
}
