import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { textIn } from '../../ui/search-params.ts';
import { CHANGES } from './changes.ts';
import { inside, presentOnly } from './inside.ts';

const above = { to: '/webhooks', title: 'Webhooks' } as const;

const webhooks = createRoute({
  getParentRoute: () => inside,
  path: '/webhooks',
  ...presentOnly,
  staticData: { changes: CHANGES.webhooks, title: () => 'Webhooks' },
  component: lazyRouteComponent(() => import('../../features/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
  errorComponent: ErrorMessage,
});

const created = createRoute({
  getParentRoute: () => inside,
  path: '/webhooks/new',
  ...presentOnly,
  staticData: { changes: CHANGES.webhooks, title: () => 'Create webhook', above },
  component: lazyRouteComponent(() => import('../../features/webhooks/webhook-form-page.tsx'), 'NewWebhookPage'),
  errorComponent: ErrorMessage,
});

export interface WebhookSearch {
  /** The status by which deliveries are filtered. */
  readonly state?: string | undefined;
  /** The cursor of the current page of deliveries. */
  readonly after?: string | undefined;
}

const webhook = createRoute({
  getParentRoute: () => inside,
  path: '/webhooks/$webhook',
  ...presentOnly,
  staticData: { changes: CHANGES.webhooks, title: () => 'Webhook', above },
  validateSearch: ({ state, after }: Record<string, unknown>): WebhookSearch => ({
    state: textIn(state),
    after: textIn(after),
  }),
  component: lazyRouteComponent(() => import('../../features/webhooks/webhook-page.tsx'), 'WebhookPage'),
  errorComponent: ErrorMessage,
});

const changed = createRoute({
  getParentRoute: () => inside,
  path: '/webhooks/$webhook/change',
  ...presentOnly,
  staticData: { changes: CHANGES.webhooks, title: () => 'Edit webhook', above },
  component: lazyRouteComponent(() => import('../../features/webhooks/webhook-form-page.tsx'), 'ChangeWebhookPage'),
  errorComponent: ErrorMessage,
});

export const webhooksRoutes = [webhooks, created, webhook, changed] as const;
