import { Body, Controller, HttpCode, Inject, Param, RequestMapping, RequestMethod, type Type } from '@nestjs/common';
import type { Operation } from '@strata/contract';
import { Requires } from '../auth/requires.ts';
import { type Call, CurrentCall } from './request.ts';

const API = '/api/v1/';

/** The placeholders of a path, with the names of the contract. */
export type PathParameters = Readonly<Record<string, string>>;

/** Handles one operation. The result is the response body. */
export type OperationHandler = (call: Call, path: PathParameters, body: unknown) => unknown;

/** The handlers by operation id. */
export type OperationHandlers = Readonly<Record<string, OperationHandler | undefined>>;

/** The classes to inject, mapped to their instances. */
export type Injected<Services> = { readonly [Name in keyof Services]: Type<Services[Name]> };

/**
 * Builds a controller with one handler per operation, and throws if a handler is missing. The operation provides what a
 * hand-written controller declares with decorators: method, path, status and required ability. This is the only file
 * that applies decorators to a generated class.
 */
export function operationController<Services extends object>(
  name: string,
  operations: readonly Operation[],
  uses: Injected<Services>,
  handlersOf: (services: Services) => OperationHandlers,
): Type<unknown> {
  const names = Object.keys(uses) as (keyof Services & string)[];
  class OperationController {
    readonly handlers: OperationHandlers;

    constructor(...injected: unknown[]) {
      const services = Object.fromEntries(names.map((serviceName, index) => [serviceName, injected[index]]));
      this.handlers = handlersOf(services as Services);
      const unanswered = operations.find(({ id }) => !this.handlers[id]);
      if (unanswered) throw new Error(`Nobody answers ${unanswered.id}.`);
    }
  }
  Object.defineProperty(OperationController, 'name', { value: name });
  for (const [index, serviceName] of names.entries()) Inject(uses[serviceName])(OperationController, undefined, index);
  for (const operation of operations) addHandler(OperationController.prototype, operation);
  Controller()(OperationController);
  return OperationController;
}

/** Converts a path of the contract to the syntax of the router. */
export const toRoute = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

function addHandler(prototype: { readonly handlers: OperationHandlers }, operation: Operation): void {
  const { id, path, method, status, requires } = operation;
  function handler(
    this: { readonly handlers: OperationHandlers },
    call: Call,
    parameters: PathParameters,
    body: unknown,
  ): unknown {
    return this.handlers[id]?.(call, parameters, body);
  }
  const descriptor: TypedPropertyDescriptor<typeof handler> = { value: handler, writable: true, configurable: true };
  Object.defineProperty(prototype, id, descriptor);
  const verb = RequestMethod[method.toUpperCase() as keyof typeof RequestMethod];
  RequestMapping({ method: verb, path: toRoute(path).slice(API.length) })(prototype, id, descriptor);
  HttpCode(status)(prototype, id, descriptor);
  Requires(requires)(prototype, id, descriptor);
  CurrentCall()(prototype, id, 0);
  Param()(prototype, id, 1);
  Body()(prototype, id, 2);
}
