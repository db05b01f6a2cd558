import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { namedPath } from '../../ui/named-path.ts';
import { parseText } from '../../ui/search-params.ts';
import { CHANGES } from './changes.ts';
import { signedInRoute } from './inside.ts';

const environments = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/environments',
  staticData: { changes: CHANGES.environments, title: () => 'Environments', hasPast: true },
  component: lazyRouteComponent(() => import('../../features/environments/environments-page.tsx'), 'EnvironmentsPage'),
  errorComponent: ErrorMessage,
});

export interface EnvironmentSearchParams {
  /** The open action. */
  readonly do?: string | undefined;
  /** The id of the tag that the open action changes. */
  readonly what?: string | undefined;
  /** The cursor of the current page of tags. */
  readonly after?: string | undefined;
}

const environment = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/environments/$environment',
  ...namedPath<'environment'>(),
  staticData: {
    changes: CHANGES.environment,
    title: ({ environment: name = '' }) => name,
    above: { to: '/environments', title: 'Environments' },
    hasPast: true,
  },
  validateSearch: ({ do: requestedAction, what, after }: Record<string, unknown>): EnvironmentSearchParams => ({
    do: parseText(requestedAction),
    what: parseText(what),
    after: parseText(after),
  }),
  component: lazyRouteComponent(() => import('../../features/environments/environment-page.tsx'), 'EnvironmentPage'),
  errorComponent: ErrorMessage,
});

export const environmentRoutes = [environments, environment] as const;
