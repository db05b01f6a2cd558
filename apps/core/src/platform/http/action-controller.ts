import type { Type } from '@nestjs/common';
import { type Operation, parseBody, parseQuery } from '@strata/contract';
import { z } from 'zod';
import { UnitOfWork } from '../ledger/unit-of-work.ts';
import { OperationCommands } from './operation-commands.ts';
import { type Injected, operationController, type PathParameters } from './operation-controller.ts';
import type { Call } from './request.ts';
import type { ActionRequest, Actions, Operations, WriteAction } from './resource.ts';

export const NO_QUERY = z.object({});

/** The services that every controller with commands gets. */
export const COMMAND_SERVICES = { unitOfWork: UnitOfWork, commands: OperationCommands };

export interface CommandServices {
  readonly unitOfWork: UnitOfWork;
  readonly commands: OperationCommands;
}

/**
 * Builds a controller of other operations. The contract parses each request, and the handler of the same name handles
 * it.
 */
export function actionController<Services extends object, const Ops extends Operations>(
  name: string,
  operations: Ops,
  uses: Injected<Services>,
  actionsOf: (services: Services & CommandServices) => Actions<Ops>,
): Type<unknown> {
  return operationController<Services & CommandServices>(
    name,
    Object.values(operations),
    { ...uses, ...COMMAND_SERVICES } as unknown as Injected<Services & CommandServices>,
    (services) => {
      const actions = actionsOf(services) as Actions<Operations>;
      const handlers = Object.entries(operations).map(([actionName, operation]) => {
        const action = actions[actionName];
        if (typeof action !== 'object') return [operation.id, createHandler(operation, action)] as const;
        services.commands.add({ [operation.id]: createHandler(operation, action.command) });
        return [
          operation.id,
          createHandler(operation, (request) => write(services.unitOfWork, action, request)),
        ] as const;
      });
      return Object.fromEntries(handlers);
    },
  );
}

async function write(unitOfWork: UnitOfWork, action: WriteAction<Operation>, request: ActionRequest<Operation>) {
  const planPreview = await action.preview?.(request);
  return action.answer(request, planPreview ?? (await unitOfWork.run(await action.command(request))));
}

function createHandler<Answer>(
  { query = NO_QUERY, body: shape }: Operation,
  action: ((request: ActionRequest<Operation>) => Answer) | undefined,
) {
  // a missing handler is detected at start
  if (!action) return undefined;
  return (call: Call, path: PathParameters, body: unknown) => {
    const parsedQuery = parseQuery(query, call.query) as never;
    const input = (shape && parseBody(shape, body)) as never;
    return action({ call, caller: call.caller, path, query: parsedQuery, input });
  };
}
