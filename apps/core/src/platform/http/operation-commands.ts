import { Injectable } from '@nestjs/common';
import type { PathParameters } from './operation-controller.ts';
import type { Call } from './request.ts';
import type { PreparedCommandOf } from './resource.ts';

/**
 * Creates the command of an operation as its own route does: the input is parsed, and everything that needs no lock is
 * done.
 */
export type CommandMaker = (call: Call, path: PathParameters, body: unknown) => PreparedCommandOf<unknown>;

/**
 * The commands of the contract's operations, by operation id. Changesets look up the command of each of their
 * operations here. Controllers that are built from operations register their commands themselves.
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
