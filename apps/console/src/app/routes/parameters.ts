import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { namedPath } from '../../ui/named-path.ts';
import { parseText } from '../../ui/search-params.ts';
import { CHANGES } from './changes.ts';
import { currentStateOnly, signedInRoute } from './inside.ts';

const parameter = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/projects/$name/parameters/$parameter',
  ...namedPath<'name' | 'parameter'>(),
  ...currentStateOnly,
  staticData: {
    changes: CHANGES.project,
    title: ({ parameter: name = '' }) => name,
    above: { to: '/projects', title: 'Projects' },
  },
  validateSearch: ({ do: requestedAction }: Record<string, unknown>): { do?: string | undefined } => ({
    do: parseText(requestedAction),
  }),
  component: lazyRouteComponent(() => import('../../features/parameters/parameter-page.tsx'), 'ParameterPage'),
  errorComponent: ErrorMessage,
});

export const parameterRoutes = [parameter] as const;
