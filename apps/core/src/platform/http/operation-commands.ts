import { Injectable } from '@nestjs/common';
import type { PathParameters } from './operation-controller.ts';
import type { Call } from './request.ts';
import type { Prepared } from './resource.ts';

/** Makes the command of an operation, as its own route does: parsed, and with everything done that needs no lock. */
export type CommandMaker = (call: Call, path: PathParameters, body: unknown) => Prepared<unknown>;

/**
 * The commands behind the operations of the contract, by their ids: whoever has several operations as one gets here what
 * each of them is. Controllers that are made of operations add theirs by themselves.
 */
@Injectable()
export class OperationCommands {
  private readonly makers = new Map<string, CommandMaker>();

  add(makers: Readonly<Record<string, CommandMaker | undefined>>): void {
    for (const [id, maker] of Object.entries(makers)) if (maker) this.makers.set(id, maker);
  }

  of(operationId: string): CommandMaker | undefined {
    return this.makers.get(operationId);
  }
}
