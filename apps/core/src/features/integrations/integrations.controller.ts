import { OPERATIONS } from '@strata/contract';
import { operationController } from '../../platform/http/operation-controller.ts';
import { findRoute, IntegrationRoutes } from './integration-routes.ts';

const ROUTES = OPERATIONS.flatMap((operation) => findRoute(operation) ?? []);

/** One handler for each operation of a provider's integrations. A table describes their differences. */
export const IntegrationsController = operationController(
  'IntegrationsController',
  ROUTES.map(({ operation }) => operation),
  { routes: IntegrationRoutes },
  ({ routes }) =>
    Object.fromEntries(
      ROUTES.map((route) => [route.operation.id, (call, path, body) => routes.answer(route, call, path, body)]),
    ),
);
