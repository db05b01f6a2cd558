import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { environmentsQuery } from '../../data/environments.ts';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { namedPath } from '../../ui/named-path.ts';
import { parseDay, parseText } from '../../ui/search-params.ts';
import { CHANGES } from './changes.ts';
import { currentStateOnly, signedInRoute } from './inside.ts';

export interface HistorySearch {
  /** The filters: the name of a project and the id of a user. */
  readonly project?: string | undefined;
  readonly actor?: string | undefined;
  /** The first day of the history to show. */
  readonly since?: string | undefined;
  /** The text by which messages are filtered. */
  readonly q?: string | undefined;
  /** The cursor of the current page. */
  readonly after?: string | undefined;
}

const history = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/history',
  ...currentStateOnly,
  staticData: { changes: CHANGES.history, title: () => 'History' },
  validateSearch: ({ project, actor, since, q, after }: Record<string, unknown>): HistorySearch => ({
    project: parseText(project),
    actor: parseText(actor),
    since: parseDay(since),
    q: parseText(q),
    after: parseText(after),
  }),
  component: lazyRouteComponent(() => import('../../features/history/history-page.tsx'), 'HistoryPage'),
  errorComponent: ErrorMessage,
});

const changeset = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/history/$revision',
  ...currentStateOnly,
  staticData: {
    changes: CHANGES.history,
    title: ({ revision = '' }) => `Revision ${revision}`,
    above: { to: '/history', title: 'History' },
  },
  validateSearch: ({ after }: Record<string, unknown>): { after?: string | undefined } => ({ after: parseText(after) }),
  component: lazyRouteComponent(() => import('../../features/history/changeset-page.tsx'), 'ChangesetPage'),
  errorComponent: ErrorMessage,
});

const environmentHistory = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/history/environments/$environment',
  ...namedPath<'environment'>(),
  ...currentStateOnly,
  staticData: {
    changes: CHANGES.history,
    title: ({ environment = '' }) => environment,
    above: { to: '/history', title: 'History' },
  },
  validateSearch: ({ after }: Record<string, unknown>): { after?: string | undefined } => ({ after: parseText(after) }),
  loader: ({ context: { client } }) => client.ensureQueryData(environmentsQuery()),
  component: lazyRouteComponent(
    () => import('../../features/history/environment-history-page.tsx'),
    'EnvironmentHistoryPage',
  ),
  errorComponent: ErrorMessage,
});

const parameterHistory = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/projects/$name/history/$parameter',
  ...namedPath<'name' | 'parameter'>(),
  ...currentStateOnly,
  staticData: {
    changes: CHANGES.history,
    title: ({ parameter = '' }) => parameter,
    above: { to: '/history', title: 'History' },
  },
  validateSearch: ({ before }: Record<string, unknown>): { before?: string | undefined } => ({
    before: parseText(before),
  }),
  component: lazyRouteComponent(
    () => import('../../features/history/parameter-history-page.tsx'),
    'ParameterHistoryPage',
  ),
  errorComponent: ErrorMessage,
});

export const historyRoutes = [history, changeset, environmentHistory, parameterHistory] as const;
