import { Injectable } from '@nestjs/common';
import type { ObjectType } from '@strata/domain';
import type { Caller } from '../caller.ts';
import type { Change } from '../ledger/change.ts';
import type { BeforeCommitHook, OutboxStatement, WriteContext, Written } from '../ledger/command.ts';
import { UnitOfWork } from '../ledger/unit-of-work.ts';

export type { Change, WriteContext, Written };

export const SHOWN_ONCE = { isShownOnce: true };

/** Runs what is not a command yet. */
@Injectable()
export class Work {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  addCompanion(objectType: ObjectType, hook: BeforeCommitHook): void {
    this.unitOfWork.addHook(objectType, hook);
  }

  addConsequence(statement: OutboxStatement): void {
    this.unitOfWork.addOutbox(statement);
  }

  write<T>(
    caller: Caller,
    run: (context: WriteContext) => Promise<T>,
    { isShownOnce = false }: { readonly isShownOnce?: boolean } = {},
  ): Promise<Written<T>> {
    return this.unitOfWork.run({
      operation: '',
      caller,
      run,
      kept: isShownOnce ? 'shown_once' : 'result',
      isLong: true,
    });
  }

  preview<T>(caller: Caller, body: (context: Pick<WriteContext, 'em' | 'at'>) => Promise<T>): Promise<Written<T>> {
    return this.unitOfWork.preview(caller, body);
  }
}
