import { OPERATIONS } from '@strata/contract';
import { type OperationHandler, operationController } from '../../platform/http/operation-controller.ts';
import { findRoute, IntegrationRoutes } from './integration-routes.ts';

const ROUTES = OPERATIONS.flatMap((operation) => findRoute(operation) ?? []);

const ALL = OPERATIONS.filter(({ id }) => id === 'integrations_all_list');

/** One handler for each operation of a provider's integrations, and one for the list of all. A table describes their differences. */
export const IntegrationsController = operationController(
  'IntegrationsController',
  [...ROUTES.map(({ operation }) => operation), ...ALL],
  { routes: IntegrationRoutes },
  ({ routes }) =>
    Object.fromEntries<OperationHandler>([
      ...ROUTES.map((route): [string, OperationHandler] => [
        route.operation.id,
        (call, path, body) => routes.answer(route, call, path, body),
      ]),
      ...ALL.map(({ id }): [string, OperationHandler] => [id, (call) => routes.listAll(call)]),
    ]),
);
