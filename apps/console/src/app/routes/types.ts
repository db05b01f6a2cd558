import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { namedPath } from '../../ui/named-path.ts';
import { parseText } from '../../ui/search-params.ts';
import { CHANGES } from './changes.ts';
import { signedInRoute } from './inside.ts';

/** The open action and the id of the rule that it changes. */
interface DoingSearch {
  readonly do?: string | undefined;
  readonly what?: string | undefined;
}

const doingIn = ({ do: requestedAction, what }: Record<string, unknown>): DoingSearch => ({
  do: parseText(requestedAction),
  what: parseText(what),
});

const types = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/types',
  staticData: { changes: CHANGES.types, title: () => 'Types', hasPast: true },
  validateSearch: ({ do: requestedAction }: Record<string, unknown>): { do?: string | undefined } => ({
    do: parseText(requestedAction),
  }),
  component: lazyRouteComponent(() => import('../../features/types/types-page.tsx'), 'TypesPage'),
  errorComponent: ErrorMessage,
});

const type = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/types/$type',
  ...namedPath<'type'>(),
  staticData: {
    changes: CHANGES.types,
    title: ({ type: name = '' }) => name,
    above: { to: '/types', title: 'Types' },
    hasPast: true,
  },
  validateSearch: (search: Record<string, unknown>): DoingSearch & { after?: string | undefined } => ({
    ...doingIn(search),
    after: parseText(search.after),
  }),
  component: lazyRouteComponent(() => import('../../features/types/type-page.tsx'), 'TypePage'),
  errorComponent: ErrorMessage,
});

const parameterRules = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/projects/$name/parameters/$parameter/rules',
  ...namedPath<'name' | 'parameter'>(),
  staticData: {
    changes: CHANGES.project,
    title: ({ parameter = '' }) => `Rules of ${parameter}`,
    above: { to: '/projects', title: 'Projects' },
  },
  validateSearch: doingIn,
  component: lazyRouteComponent(() => import('../../features/types/parameter-rules.tsx'), 'ParameterRulesPage'),
  errorComponent: ErrorMessage,
});

export const typesRoutes = [types, type, parameterRules] as const;
