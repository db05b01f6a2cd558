import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { namedPath } from '../../ui/named-path.ts';
import { parseText } from '../../ui/search-params.ts';
import { currentStateOnly, signedInRoute } from './inside.ts';

export interface InstancesSearch {
  /** The name of the environment. */
  readonly env?: string | undefined;
  readonly page?: number | undefined;
}

const instances = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/projects/$name/instances',
  ...namedPath<'name'>(),
  staticData: {
    changes: null,
    title: ({ name = '' }) => `Instances of ${name}`,
    above: { to: '/projects', title: 'Projects' },
  },
  validateSearch: ({ env, page }: Record<string, unknown>): InstancesSearch => ({
    env: parseText(env),
    page: Number.isInteger(page) && Number(page) > 1 ? Number(page) : undefined,
  }),
  ...currentStateOnly,
  component: lazyRouteComponent(() => import('../../features/instances/instances-page.tsx'), 'InstancesPage'),
  errorComponent: ErrorMessage,
});

export const instancesRoutes = [instances] as const;
