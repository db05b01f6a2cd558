import { Injectable } from '@nestjs/common';
import { Work, type Written } from '../database/work.ts';
import type { Command } from './command.ts';

/** The one way to write: carries out commands. */
@Injectable()
export class UnitOfWork {
  constructor(private readonly work: Work) {}

  /**
   * One request: one command, one revision. Sent again with the same `Idempotency-Key`, it does nothing and has the result
   * and the revision of the first time.
   */
  run<Result>({ caller, run, kept }: Command<Result>): Promise<Written<Result>> {
    return this.work.write(caller, run, { isShownOnce: kept === 'shown_once' });
  }
}
