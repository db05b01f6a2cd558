import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { AuditSearch } from '../../features/access/audit-filter.tsx';
import type { ExplainAccessSearch } from '../../features/access/explain-access-page.tsx';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { parseDay, parseText } from '../../ui/search-params.ts';
import { CHANGES } from './changes.ts';
import { signedInRoute } from './inside.ts';

const ABOVE = { to: '/access', title: 'Access' } as const;

const people = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/access',
  staticData: { changes: CHANGES.people, title: () => 'Access', isAlwaysNow: true },
  component: lazyRouteComponent(() => import('../../features/access/people-page.tsx'), 'PeoplePage'),
  errorComponent: ErrorMessage,
});

const groups = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/access/groups',
  staticData: { changes: CHANGES.groups, title: () => 'Groups', above: ABOVE, isAlwaysNow: true },
  component: lazyRouteComponent(() => import('../../features/access/groups-page.tsx'), 'GroupsPage'),
  errorComponent: ErrorMessage,
});

const grants = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/access/grants',
  staticData: { changes: CHANGES.grants, title: () => 'Grants', above: ABOVE, isAlwaysNow: true },
  component: lazyRouteComponent(() => import('../../features/access/grants-page.tsx'), 'GrantsPage'),
  errorComponent: ErrorMessage,
});

const requests = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/access/requests',
  staticData: { changes: null, title: () => 'Requests', above: ABOVE, isAlwaysNow: true },
  component: lazyRouteComponent(() => import('../../features/access/access-requests-page.tsx'), 'AccessRequestsPage'),
  errorComponent: ErrorMessage,
});

const serviceAccounts = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/access/service-accounts',
  staticData: { changes: CHANGES.serviceAccounts, title: () => 'Service accounts', above: ABOVE, isAlwaysNow: true },
  component: lazyRouteComponent(() => import('../../features/access/service-accounts-page.tsx'), 'ServiceAccountsPage'),
  errorComponent: ErrorMessage,
});

const explain = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/access/explain',
  staticData: { changes: null, title: () => 'Explain access', above: ABOVE, hasPast: true },
  validateSearch: (search: Record<string, unknown>): ExplainAccessSearch => ({
    project: parseText(search.project),
    environment: parseText(search.environment),
    who: parseText(search.who),
    after: parseText(search.after),
  }),
  component: lazyRouteComponent(() => import('../../features/access/explain-access-page.tsx'), 'ExplainAccessPage'),
  errorComponent: ErrorMessage,
});

const unused = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/access/unused',
  staticData: { changes: null, title: () => 'Unused access', above: ABOVE, isAlwaysNow: true },
  component: lazyRouteComponent(() => import('../../features/access/unused-access-page.tsx'), 'UnusedAccessPage'),
  errorComponent: ErrorMessage,
});

const audit = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/access/audit',
  staticData: { changes: null, title: () => 'Audit', above: ABOVE, isAlwaysNow: true },
  validateSearch: (search: Record<string, unknown>): AuditSearch => ({
    action: parseText(search.action),
    type: parseText(search.type),
    object: parseText(search.object),
    actor: parseText(search.actor),
    project: parseText(search.project),
    environment: parseText(search.environment),
    since: parseDay(search.since),
    until: parseDay(search.until),
    after: parseText(search.after),
  }),
  component: lazyRouteComponent(() => import('../../features/access/audit-page.tsx'), 'AuditPage'),
  errorComponent: ErrorMessage,
});

export const accessRoutes = [people, groups, grants, requests, serviceAccounts, explain, unused, audit] as const;
