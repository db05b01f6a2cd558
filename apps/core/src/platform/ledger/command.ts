import type { Caller } from '../caller.ts';
import type { WriteContext } from '../database/write.ts';

/** What an `Idempotency-Key` keeps of a command; `shown_once` is a result that holds what is kept nowhere, such as a new key. */
export type KeptResult = 'result' | 'revision' | 'shown_once';

/**
 * A write of one operation of the contract, for one caller. Whoever makes a command has done everything that needs neither
 * lock nor state: the input is parsed, passwords are hashed, the mentions of a text are found. `run` does the rest once its
 * turn has come: everything it reads is still true at commit, and everybody else who writes in the organization waits for it.
 *
 * Only `UnitOfWork` runs commands: alone, as one of a group, several as one changeset, or to be rolled back. So `run` opens
 * no transaction, awaits nothing but the database, and remembers nothing outside of it.
 */
export interface Command<Result> {
  /** The operation as the contract names it, such as `environments_create`. */
  readonly operation: string;
  readonly caller: Caller;
  /** Throws a Failure to refuse; then nothing of it is stored. A command that records no change mints no revision. */
  run(context: WriteContext): Promise<Result>;
  /** Default: `result`. */
  readonly kept?: KeptResult;
  /** It may take long (a copy, an import, a deletion with everything below): it joins no group. */
  readonly isLong?: boolean;
}
