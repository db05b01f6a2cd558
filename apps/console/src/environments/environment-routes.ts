import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { inside } from '../app/inside.ts';
import { namedPath } from '../app/named-path.ts';
import { textIn } from '../app/search-params.ts';
import { Trouble } from '../app/trouble.tsx';

const environments = createRoute({
  getParentRoute: () => inside,
  path: '/environments',
  staticData: { title: () => 'Environments', hasPast: true },
  component: lazyRouteComponent(() => import('../environments/environments-page.tsx'), 'EnvironmentsPage'),
  errorComponent: Trouble,
});

export interface EnvironmentSearch {
  /** What is being done with it. */
  readonly do?: string | undefined;
  /** The tag, by its id, that it is done with. */
  readonly what?: string | undefined;
  /** Where the page of tags begins. */
  readonly after?: string | undefined;
}

const environment = createRoute({
  getParentRoute: () => inside,
  path: '/environments/$environment',
  ...namedPath<'environment'>(),
  staticData: {
    title: ({ environment: name = '' }) => name,
    above: { to: '/environments', title: 'Environments' },
    hasPast: true,
  },
  validateSearch: ({ do: does, what, after }: Record<string, unknown>): EnvironmentSearch => ({
    do: textIn(does),
    what: textIn(what),
    after: textIn(after),
  }),
  component: lazyRouteComponent(() => import('../environments/environment-page.tsx'), 'EnvironmentPage'),
  errorComponent: Trouble,
});

export const environmentRoutes = [environments, environment] as const;
