import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { textIn } from '../../ui/search-params.ts';
import { CHANGES } from './changes.ts';
import { inside, presentOnly } from './inside.ts';
import type { WebhookSearch } from './webhooks.ts';

const above = { to: '/webhooks', title: 'Webhooks' } as const;

const created = createRoute({
  getParentRoute: () => inside,
  path: '/destinations/new',
  ...presentOnly,
  staticData: { changes: CHANGES.destinations, title: () => 'Create destination', above },
  component: lazyRouteComponent(
    () => import('../../features/webhooks/destination-form-page.tsx'),
    'NewDestinationPage',
  ),
  errorComponent: ErrorMessage,
});

const destination = createRoute({
  getParentRoute: () => inside,
  path: '/destinations/$destination',
  ...presentOnly,
  staticData: { changes: CHANGES.destinations, title: () => 'Destination', above },
  validateSearch: ({ state, after }: Record<string, unknown>): WebhookSearch => ({
    state: textIn(state),
    after: textIn(after),
  }),
  component: lazyRouteComponent(() => import('../../features/webhooks/destination-page.tsx'), 'DestinationPage'),
  errorComponent: ErrorMessage,
});

const changed = createRoute({
  getParentRoute: () => inside,
  path: '/destinations/$destination/change',
  ...presentOnly,
  staticData: { changes: CHANGES.destinations, title: () => 'Edit destination', above },
  component: lazyRouteComponent(
    () => import('../../features/webhooks/destination-form-page.tsx'),
    'ChangeDestinationPage',
  ),
  errorComponent: ErrorMessage,
});

export const destinationsRoutes = [created, destination, changed] as const;
