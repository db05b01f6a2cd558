import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { inside } from '../app/inside.ts';
import { namedPath } from '../app/named-path.ts';
import { textIn } from '../app/search-params.ts';
import { Trouble } from '../app/trouble.tsx';

const types = createRoute({
  getParentRoute: () => inside,
  path: '/types',
  staticData: { title: () => 'Types', hasPast: true },
  component: lazyRouteComponent(() => import('../types/types-page.tsx'), 'TypesPage'),
  errorComponent: Trouble,
});

const type = createRoute({
  getParentRoute: () => inside,
  path: '/types/$type',
  ...namedPath<'type'>(),
  staticData: { title: ({ type: name = '' }) => name, above: { to: '/types', title: 'Types' }, hasPast: true },
  validateSearch: ({ after }: Record<string, unknown>): { after?: string | undefined } => ({ after: textIn(after) }),
  component: lazyRouteComponent(() => import('../types/type-page.tsx'), 'TypePage'),
  errorComponent: Trouble,
});

const parameterRules = createRoute({
  getParentRoute: () => inside,
  path: '/projects/$name/parameters/$parameter/rules',
  ...namedPath<'name' | 'parameter'>(),
  staticData: { title: ({ parameter = '' }) => `Rules of ${parameter}`, above: { to: '/projects', title: 'Projects' } },
  component: lazyRouteComponent(() => import('../types/parameter-rules.tsx'), 'ParameterRulesPage'),
  errorComponent: Trouble,
});

export const typesRoutes = [types, type, parameterRules] as const;
