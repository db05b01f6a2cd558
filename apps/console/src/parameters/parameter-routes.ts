import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { inside, presentOnly } from '../app/inside.ts';
import { namedPath } from '../app/named-path.ts';
import { textIn } from '../app/search-params.ts';
import { Trouble } from '../app/trouble.tsx';

const parameter = createRoute({
  getParentRoute: () => inside,
  path: '/projects/$name/parameters/$parameter',
  ...namedPath<'name' | 'parameter'>(),
  ...presentOnly,
  staticData: { title: ({ parameter: name = '' }) => name, above: { to: '/projects', title: 'Projects' } },
  validateSearch: ({ do: does }: Record<string, unknown>): { do?: string | undefined } => ({ do: textIn(does) }),
  component: lazyRouteComponent(() => import('../parameters/parameter-page.tsx'), 'ParameterPage'),
  errorComponent: Trouble,
});

export const parameterRoutes = [parameter] as const;
