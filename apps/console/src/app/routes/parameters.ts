import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { namedPath } from '../../ui/named-path.ts';
import { textIn } from '../../ui/search-params.ts';
import { Trouble } from '../../ui/trouble.tsx';
import { inside, presentOnly } from './inside.ts';

const parameter = createRoute({
  getParentRoute: () => inside,
  path: '/projects/$name/parameters/$parameter',
  ...namedPath<'name' | 'parameter'>(),
  ...presentOnly,
  staticData: { title: ({ parameter: name = '' }) => name, above: { to: '/projects', title: 'Projects' } },
  validateSearch: ({ do: does }: Record<string, unknown>): { do?: string | undefined } => ({ do: textIn(does) }),
  component: lazyRouteComponent(() => import('../../features/parameters/parameter-page.tsx'), 'ParameterPage'),
  errorComponent: Trouble,
});

export const parameterRoutes = [parameter] as const;
