import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { parseText } from '../../ui/search-params.ts';
import { CHANGES } from './changes.ts';
import { currentStateOnly, signedInRoute } from './inside.ts';
import type { WebhookSearch } from './webhooks.ts';

const parentPage = { to: '/webhooks', title: 'Webhooks' } as const;

const newDestinationRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/destinations/new',
  ...currentStateOnly,
  staticData: { changes: CHANGES.destinations, title: () => 'Create destination', above: parentPage },
  component: lazyRouteComponent(
    () => import('../../features/webhooks/destination-form-page.tsx'),
    'NewDestinationPage',
  ),
  errorComponent: ErrorMessage,
});

const destination = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/destinations/$destination',
  ...currentStateOnly,
  staticData: { changes: CHANGES.destinations, title: () => 'Destination', above: parentPage },
  validateSearch: ({ state, after }: Record<string, unknown>): WebhookSearch => ({
    state: parseText(state),
    after: parseText(after),
  }),
  component: lazyRouteComponent(() => import('../../features/webhooks/destination-page.tsx'), 'DestinationPage'),
  errorComponent: ErrorMessage,
});

const destinationRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/destinations/$destination/change',
  ...currentStateOnly,
  staticData: { changes: CHANGES.destinations, title: () => 'Edit destination', above: parentPage },
  component: lazyRouteComponent(
    () => import('../../features/webhooks/destination-form-page.tsx'),
    'ChangeDestinationPage',
  ),
  errorComponent: ErrorMessage,
});

export const destinationsRoutes = [newDestinationRoute, destination, destinationRoute] as const;
