import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { parseText } from '../../ui/search-params.ts';
import { CHANGES } from './changes.ts';
import { currentStateOnly, signedInRoute } from './inside.ts';

const parentPage = { to: '/webhooks', title: 'Webhooks' } as const;

const webhooks = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/webhooks',
  ...currentStateOnly,
  staticData: { changes: CHANGES.webhooks, title: () => 'Webhooks' },
  component: lazyRouteComponent(() => import('../../features/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
  errorComponent: ErrorMessage,
});

const newWebhookRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/webhooks/new',
  ...currentStateOnly,
  staticData: { changes: CHANGES.webhooks, title: () => 'Create webhook', above: parentPage },
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
  getParentRoute: () => signedInRoute,
  path: '/webhooks/$webhook',
  ...currentStateOnly,
  staticData: { changes: CHANGES.webhooks, title: () => 'Webhook', above: parentPage },
  validateSearch: ({ state, after }: Record<string, unknown>): WebhookSearch => ({
    state: parseText(state),
    after: parseText(after),
  }),
  component: lazyRouteComponent(() => import('../../features/webhooks/webhook-page.tsx'), 'WebhookPage'),
  errorComponent: ErrorMessage,
});

const webhookRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/webhooks/$webhook/change',
  ...currentStateOnly,
  staticData: { changes: CHANGES.webhooks, title: () => 'Edit webhook', above: parentPage },
  component: lazyRouteComponent(() => import('../../features/webhooks/webhook-form-page.tsx'), 'ChangeWebhookPage'),
  errorComponent: ErrorMessage,
});

export const webhooksRoutes = [webhooks, newWebhookRoute, webhook, webhookRoute] as const;
