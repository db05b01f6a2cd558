import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { parseText } from '../../ui/search-params.ts';
import { signedInRoute } from './inside.ts';

export interface ParameterSearch {
  readonly q?: string | undefined;
  /** The fields of a parameter to search. */
  readonly place?: 'name' | 'value' | 'description' | undefined;
}

const placeIn = (input: unknown): ParameterSearch['place'] =>
  input === 'name' || input === 'value' || input === 'description' ? input : undefined;

const search = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/search',
  staticData: { changes: null, title: () => 'Search' },
  validateSearch: ({ q, place }: Record<string, unknown>): ParameterSearch => ({
    q: parseText(q),
    place: placeIn(place),
  }),
  component: lazyRouteComponent(() => import('../../features/palette/search-page.tsx'), 'SearchPage'),
  errorComponent: ErrorMessage,
});

export const searchRoutes = [search] as const;
