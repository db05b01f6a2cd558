import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { parseText } from '../../ui/search-params.ts';
import { CHANGES } from './changes.ts';
import { currentStateOnly, signedInRoute } from './inside.ts';

const parentPage = { to: '/integrations', title: 'Integrations' } as const;

const integrations = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/integrations',
  ...currentStateOnly,
  staticData: { changes: CHANGES.integrations, title: () => 'Integrations' },
  component: lazyRouteComponent(() => import('../../features/integrations/integrations-page.tsx'), 'IntegrationsPage'),
  errorComponent: ErrorMessage,
});

const created = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/integrations/new',
  ...currentStateOnly,
  staticData: { changes: CHANGES.integrations, title: () => 'Create integration', above: parentPage },
  component: lazyRouteComponent(
    () => import('../../features/integrations/integration-form-page.tsx'),
    'NewIntegrationPage',
  ),
  errorComponent: ErrorMessage,
});

const integration = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/integrations/$provider/$integration',
  ...currentStateOnly,
  staticData: { changes: CHANGES.integrations, title: () => 'Integration', above: parentPage },
  component: lazyRouteComponent(() => import('../../features/integrations/integration-page.tsx'), 'IntegrationPage'),
  errorComponent: ErrorMessage,
});

const changed = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/integrations/$provider/$integration/change',
  ...currentStateOnly,
  staticData: { changes: CHANGES.integrations, title: () => 'Edit integration', above: parentPage },
  component: lazyRouteComponent(
    () => import('../../features/integrations/integration-form-page.tsx'),
    'ChangeIntegrationPage',
  ),
  errorComponent: ErrorMessage,
});

const createdPush = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/integrations/$provider/$integration/pushes/new',
  ...currentStateOnly,
  staticData: { changes: CHANGES.integrations, title: () => 'Create push', above: parentPage },
  component: lazyRouteComponent(() => import('../../features/integrations/push-form-page.tsx'), 'NewPushPage'),
  errorComponent: ErrorMessage,
});

interface PushSearch {
  /** The state by which keys are filtered, or `plan`. */
  readonly keys?: string | undefined;
  /** The cursor of the current page of keys. */
  readonly after?: string | undefined;
}

const push = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/integrations/$provider/$integration/pushes/$push',
  ...currentStateOnly,
  staticData: { changes: CHANGES.integrations, title: () => 'Push', above: parentPage },
  validateSearch: ({ keys, after }: Record<string, unknown>): PushSearch => ({
    keys: parseText(keys),
    after: parseText(after),
  }),
  component: lazyRouteComponent(() => import('../../features/integrations/push-page.tsx'), 'PushPage'),
  errorComponent: ErrorMessage,
});

const changedPush = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/integrations/$provider/$integration/pushes/$push/change',
  ...currentStateOnly,
  staticData: { changes: CHANGES.integrations, title: () => 'Edit push', above: parentPage },
  component: lazyRouteComponent(() => import('../../features/integrations/push-form-page.tsx'), 'ChangePushPage'),
  errorComponent: ErrorMessage,
});

const pull = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/integrations/$provider/$integration/pulls/$pull',
  ...currentStateOnly,
  staticData: { changes: CHANGES.integrations, title: () => 'Pull', above: parentPage },
  component: lazyRouteComponent(() => import('../../features/integrations/pull-page.tsx'), 'PullPage'),
  errorComponent: ErrorMessage,
});

export const integrationRoutes = [
  integrations,
  created,
  integration,
  changed,
  createdPush,
  push,
  changedPush,
  pull,
] as const;
