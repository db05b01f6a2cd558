import { Body, Controller, HttpCode, Inject, Param, RequestMapping, RequestMethod, type Type } from '@nestjs/common';
import type { Operation } from '@strata/contract';
import { Requires } from '../auth/requires.ts';
import { type Call, CurrentCall } from './request.ts';

const API = '/api/v1/';

/** The placeholders of a path, named as in the contract. */
export type PathParameters = Readonly<Record<string, string>>;

/** Answers one operation; what it returns is the body. */
export type OperationHandler = (call: Call, path: PathParameters, body: unknown) => unknown;

/** By the id of the operation. */
export type OperationHandlers = Readonly<Record<string, OperationHandler | undefined>>;

/** Classes that are to be injected, and what they are once they are. */
export type Injected<Services> = { readonly [Name in keyof Services]: Type<Services[Name]> };

/**
 * A controller with one handler for each operation; it cannot be made while one is missing. What a hand-written controller says with decorators is said here by
 * the operation: method, path, status, and what it requires. No other file applies decorators to a class that it makes.
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
      const services = Object.fromEntries(names.map((each, at) => [each, injected[at]]));
      this.handlers = handlersOf(services as Services);
      const unanswered = operations.find(({ id }) => !this.handlers[id]);
      if (unanswered) throw new Error(`Nobody answers ${unanswered.id}.`);
    }
  }
  Object.defineProperty(OperationController, 'name', { value: name });
  for (const [at, each] of names.entries()) Inject(uses[each])(OperationController, undefined, at);
  for (const operation of operations) addHandler(OperationController.prototype, operation);
  Controller()(OperationController);
  return OperationController;
}

/** A path of the contract as routers write it. */
export const routeOf = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

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
  RequestMapping({ method: verb, path: routeOf(path).slice(API.length) })(prototype, id, descriptor);
  HttpCode(status)(prototype, id, descriptor);
  Requires(requires)(prototype, id, descriptor);
  CurrentCall()(prototype, id, 0);
  Param()(prototype, id, 1);
  Body()(prototype, id, 2);
}
