import type { ObjectType, OrganizationId, Revision } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../caller.ts';
import type { Statement } from '../postgres/prepared-client.ts';
import type { Change } from './change.ts';
import type { ForbiddenValues } from './forbidden-values.ts';
import type { StoredResult } from './idempotency-keys.ts';
import { PlanRecorder } from './plan-recorder.ts';

/**
 * One write of one caller. The code that creates a command does everything that needs neither a lock nor state: it
 * parses the input, hashes passwords, and finds the references in a text. `run` does the rest. Everything it reads is
 * still true at commit, because all other writers of the organization wait for it.
 *
 * Only `UnitOfWork` runs commands: alone, in a group, several as one changeset, or to be rolled back. Therefore `run`
 * opens no transaction, awaits only the database, and stores nothing outside of it.
 */
export interface Command<Result> {
  /** The operation as the contract names it, such as `environments_create`. */
  readonly operation: string;
  readonly caller: Caller;
  /**
   * Throws a Failure to reject the write; then nothing is stored. A command that records no change creates no revision.
   */
  run(context: WriteContext): Promise<Result>;
  /** The part of the result that an `Idempotency-Key` stores. The default is `result`. */
  readonly storedResult?: StoredResult;
  /** The message and the external reference of its changeset. */
  readonly note?: ChangesetNote;
  /** True for a command that may take long, such as a copy, an import or the deletion of a tree. It runs alone. */
  readonly isLong?: boolean;
  /** Whether to delete what was read recently, too, although the organization protects it. */
  readonly isForced?: boolean;
  /** Returns the JSON pointer to the part of the request that made a change; absent if the request is about one object. */
  readonly locateChange?: (change: Change) => string;
  /** The input of the set operation that the command runs, alone or with other commands of its kind (`setCommand`). */
  readonly inSet?: SetMember<Result>;
  /**
   * Called with the caller's current permissions if they were read again after the command waited. `UnitOfWork` sets it.
   */
  readonly onAuthorized?: (caller: Caller) => void;
}

/** The reason for a change, and its reference in another system. */
export interface ChangesetNote {
  readonly message: string | null;
  readonly externalRef: string | null;
}

/** The result of a command. It is final once its transaction is committed. */
export type CommandOutcome = { readonly written: WriteResult<unknown> } | { readonly error: unknown };

/** The caller of a running write, with the permissions that apply now, and with what the write records and ignores. */
export interface Writer extends Caller {
  readonly planRecorder: PlanRecorder;
  /** The values that a changeset ignores because the caller may not read them; null for any other write. */
  readonly forbiddenValues: ForbiddenValues | null;
}

/** Returns the caller of a write that has no plan and ignores nothing. */
export function createWriter(caller: Caller): Writer {
  return { ...caller, planRecorder: new PlanRecorder('none'), forbiddenValues: null };
}

/** The context in which a command runs. */
export interface WriteContext extends Stamp {
  /** Use this caller inside `run`, because the permissions of the command's own caller may have ended while it waited. */
  readonly caller: Writer;
  /**
   * Every statement of the command must use this manager, and so the command's transaction. Do not use its `save`,
   * `remove` and `transaction`: they commit by themselves.
   */
  readonly em: EntityManager;
  /**
   * Records what happened to an object. Without a change there is no revision. Throws 403 if the caller may not make the change. Give
   * the caller as well if the write itself has changed their permissions.
   */
  record(change: Change, caller?: Writer): void;
  /**
   * Records a secret that was not written because it is unchanged. Preconditions apply to it as if it had been written;
   * otherwise their result would reveal the secret.
   */
  recordUnchangedSecret(objectId: string): void;
}

/** The next revision of the organization, and the instant that every row of it has. */
export interface Stamp {
  readonly revision: Revision;
  readonly at: string;
}

export interface WriteResult<Result> {
  readonly result: Result;
  /** The revision that contains the result; the latest one if nothing changed. */
  readonly revision: Revision;
}

/** One input of a set operation. */
export interface SetMember<Result> {
  /** Only the operation knows the types of its inputs and rows. */
  readonly operation: SetOperation<unknown, unknown, Result>;
  readonly input: unknown;
  /** True if the decision reads more than `load`, as a precondition does. Then the input is the only one of its set. */
  readonly isAlone?: boolean;
}

/**
 * Runs any number of commands of one kind: loads their data once, decides each command, and stores all rows once. A
 * single command is a set of one. The result must equal that of running the commands in turn.
 */
export interface SetOperation<Input, Row, Result> {
  /** The type of object that it changes. */
  readonly objectType: ObjectType;
  /**
   * Returns a unique key of the row that is written. It contains all ids of the request's path, because a row that was
   * loaded for one path does not prove that another path exists.
   */
  rowKey(input: Input): string;
  /**
   * Finds what all inputs need. The number of queries must not depend on the number of inputs. $1 is the organization;
   * rows are read as JSON.
   */
  load(organizationId: OrganizationId, inputs: readonly Input[]): readonly Statement[];
  /**
   * Decides one request from the rows of each statement, in which it is at `index`. Throws a Failure to reject it. Must
   * not write. Only a request that is alone may read more.
   */
  decide(request: SetRequest<Input>, loaded: readonly object[][], index: number): Promise<SetDecision<Row, Result>>;
  /**
   * Returns what the next request for the row at `index` reads once the row is written, in this set or in a later one. A
   * change without `settle` must not affect what requests for other rows read. An operation without this method never
   * has two commands of one row in a set, and always reads its rows from the database.
   */
  afterWrite?(loaded: readonly object[][], index: number, written: Stamp & { readonly row: Row }): LoadedInput;
  /** Writes different rows, each at its own revision. */
  store(organizationId: OrganizationId, rows: readonly (Stamp & { readonly row: Row })[]): Statement;
}

/** The rows of each statement that the decision of one input reads. The input is at `index` in them. */
export interface LoadedInput {
  readonly loaded: readonly object[][];
  readonly index: number;
}

/** One input of a set operation, with the caller whose write it is. */
export interface SetRequest<Input> {
  readonly caller: Writer;
  readonly em: EntityManager;
  readonly input: Input;
}

export type SetDecision<Row, Result> =
  | {
      readonly is: 'unchanged';
      readonly result: Result;
      /** The id of a secret in the input that is the same as the stored one. */
      readonly secretId: string | null;
    }
  | {
      readonly is: 'changed';
      readonly row: Row;
      readonly change: Change;
      /** The result, valid once the row is stored. */
      result(stamp: Stamp): Result;
      /**
       * Stores and validates what depends on the row, once it is stored; null if nothing does. Such a change is the only
       * one of its set, because its failure rejects only itself.
       */
      readonly settle: (() => Promise<void>) | null;
    };

/**
 * Returns a query that stores the messages about changes together with the changes; $1 is the organization. Returns
 * null if there are no messages.
 */
export type OutboxStatement = (organizationId: OrganizationId, changes: readonly Change[]) => Statement | null;

/**
 * Runs inside the transaction before the changes are stored. Makes and records the changes that follow from changes of
 * its type.
 */
export type BeforeCommitHook = (
  context: WriteContext,
  organizationId: OrganizationId,
  changes: readonly Change[],
) => Promise<void>;

/**
 * The values from the least to the most restrictive. The combined command takes the most restrictive one, so that a
 * secret that is shown once is not shown again because other objects were created with it.
 */
const ORDERED_BY_STRICTNESS: readonly StoredResult[] = ['result', 'revision', 'shown_once'];

/**
 * Combines several commands of one caller into one, with one revision and one commit. If one of them fails, nothing is
 * stored. Each command sees the writes of the previous ones.
 */
export function combineCommands(
  operation: string,
  commands: readonly [Command<unknown>, ...Command<unknown>[]],
): Command<readonly unknown[]> {
  const [{ caller }] = commands;
  if (commands.some((command) => command.caller !== caller))
    throw new Error('Commands of one changeset have one caller.');
  return {
    operation,
    caller,
    isLong: true,
    storedResult:
      ORDERED_BY_STRICTNESS.findLast((result) => commands.some((command) => command.storedResult === result)) ??
      'result',
    run: async (context) => {
      const results: unknown[] = [];
      for (const command of commands) results.push(await command.run(context));
      return results;
    },
  };
}
