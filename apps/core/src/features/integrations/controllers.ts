import { Body, Controller, HttpCode, Inject, Param, RequestMapping, RequestMethod, type Type } from '@nestjs/common';
import { OPERATIONS } from '@strata/contract';
import { Requires } from '../../platform/auth/requires.ts';
import { type Call, CurrentCall } from '../../platform/http/request.ts';
import { IntegrationRoutes, type Route, routeOf } from './integration-routes.ts';

const API = '/api/v1/';

/**
 * A controller with one handler for each operation of the contract that is about a provider's integrations. What a
 * hand-written controller says with decorators is said here by the operation: method, path, status, and what it requires.
 */
export function integrationsController(): Type<unknown> {
  class IntegrationsController {
    constructor(readonly routes: IntegrationRoutes) {}
  }
  Inject(IntegrationRoutes)(IntegrationsController, undefined, 0);
  for (const operation of OPERATIONS) {
    const route = routeOf(operation);
    if (route) addHandler(IntegrationsController.prototype, route);
  }
  Controller()(IntegrationsController);
  return IntegrationsController;
}

function addHandler(prototype: { readonly routes: IntegrationRoutes }, route: Route): void {
  const { id, path, method, status, requires } = route.operation;
  function handler(
    this: { readonly routes: IntegrationRoutes },
    call: Call,
    params: Readonly<Record<string, string>>,
    body: unknown,
  ) {
    return this.routes.answer(route, call, params, body);
  }
  const descriptor: TypedPropertyDescriptor<typeof handler> = { value: handler, writable: true, configurable: true };
  Object.defineProperty(prototype, id, descriptor);
  const verb = RequestMethod[method.toUpperCase() as keyof typeof RequestMethod];
  RequestMapping({ method: verb, path: path.slice(API.length).replace(/\{(\w+)\}/g, ':$1') })(
    prototype,
    id,
    descriptor,
  );
  HttpCode(status)(prototype, id, descriptor);
  Requires(requires)(prototype, id, descriptor);
  CurrentCall()(prototype, id, 0);
  Param()(prototype, id, 1);
  Body()(prototype, id, 2);
}
