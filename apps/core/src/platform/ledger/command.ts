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
  /** Throws a Failure to refuse; then nothing of it is stored. A command that records no change mints no revision. */
  run(context: WriteContext): Promise<Result>;
  /** Default: `result`. */
  readonly storedResult?: StoredResult;
  /** The message and the external reference of its changeset. */
  readonly note?: ChangesetNote;
  /** It may take long (a copy, an import, a deletion with everything below): it joins no group. */
  readonly isLong?: boolean;
  /** How it is carried out together with others of its kind that wait beside it. Absent: one by one. */
  readonly inSet?: SetMember<Result>;
}

/** Why something was written, and what that belongs to elsewhere, for people. */
export interface ChangesetNote {
  readonly message: string | null;
  readonly externalRef: string | null;
}

/** The result of a command. It is final once its transaction is committed. */
export type CommandOutcome = { readonly written: Written<unknown> } | { readonly refused: unknown };

/** A caller whose write is being carried out, with the permissions that hold now, and with what the write records and ignores. */
export interface Writer extends Caller {
  readonly planRecorder: PlanRecorder;
  /** The values that a changeset ignores because the caller may not read them; null for any other write. */
  readonly forbiddenValues: ForbiddenValues | null;
}

/** Returns the caller of a write that has no plan and ignores nothing. */
export function writerOf(caller: Caller): Writer {
  return { ...caller, planRecorder: new PlanRecorder('none'), forbiddenValues: null };
}

/** The context in which a command runs. */
export interface WriteContext extends Stamp {
  /** Use this caller inside `run`, because the permissions of the command's own caller may have ended while it waited. */
  readonly caller: Writer;
  /**
   * Every statement of the command goes through here, and so into its transaction. `save`, `remove` and `transaction` of it
   * are not for commands: they commit by themselves.
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

/** When something is written: the next revision of the organization, and its instant as every row of it carries it. */
export interface Stamp {
  readonly revision: Revision;
  readonly at: string;
}

export interface Written<Result> {
  readonly result: Result;
  /** The revision that holds the result; the latest one when nothing changed. */
  readonly revision: Revision;
}

/** One input of a set operation. */
export interface SetMember<Result> {
  /** It alone knows what its inputs and rows are. */
  readonly operation: SetOperation<unknown, unknown, Result>;
  readonly input: unknown;
}

/**
 * Commands of one kind as one load, one decision each, and one store, whatever their number. It must come to what each
 * command's `run` would come to, one after the other.
 */
export interface SetOperation<Input, Row, Result> {
  /** The type of object that it changes. */
  readonly objectType: ObjectType;
  /** Names the row that is written, in one spelling only. Two of one row are never in one set. */
  rowOf(input: Input): string;
  /** Finds what all of them need, in a number of queries that does not depend on theirs. $1 is the organization; rows are read as JSON. */
  load(organizationId: OrganizationId, inputs: readonly Input[]): readonly Statement[];
  /** In the order of the requests, given the rows of each statement. Must not write. */
  decide(
    requests: readonly SetRequest<Input>[],
    found: readonly object[][],
  ): Promise<readonly SetDecision<Row, Result>[]>;
  /** Writes all rows, each at its own revision. */
  store(organizationId: OrganizationId, rows: readonly (Stamp & { readonly row: Row })[]): Statement;
}

/** One input of a set operation, with the caller whose write it is. */
export interface SetRequest<Input> {
  readonly caller: Writer;
  readonly input: Input;
}

export type SetDecision<Row, Result> =
  | { readonly is: 'refused'; readonly because: unknown }
  | { readonly is: 'unchanged'; readonly result: Result }
  /** It takes more than the set knows: `run` decides. */
  | { readonly is: 'single' }
  | {
      readonly is: 'changed';
      readonly row: Row;
      readonly change: Change;
      /** It holds once the row is stored. */
      result(stamp: Stamp): Result;
    };

/** A query that stores what must be stored with the changes, without seeing them; $1 is the organization. Null when nothing follows. */
export type OutboxStatement = (organizationId: OrganizationId, changes: readonly Change[]) => Statement | null;

/** Runs inside the transaction, before the changes are appended: what changes along with those of its type, recorded like them. */
export type BeforeCommitHook = (
  context: WriteContext,
  organizationId: OrganizationId,
  changes: readonly Change[],
) => Promise<void>;

/** A result that is shown once must stay so if other objects are created with it. */
const ORDERED_BY_STRICTNESS: readonly StoredResult[] = ['result', 'revision', 'shown_once'];

/** Several commands of one caller as one: one revision, one commit, all or nothing. Each sees what those before it did. */
export function combined(
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
      ORDERED_BY_STRICTNESS.findLast((kept) => commands.some((command) => command.storedResult === kept)) ?? 'result',
    run: async (context) => {
      const results: unknown[] = [];
      for (const command of commands) results.push(await command.run(context));
      return results;
    },
  };
}
