import { Failure, type OrganizationId, type Revision } from '@strata/domain';
import { currentPermissions, needsReauthorization, type Reauthorized, reauthorized } from '../auth/reauthorization.ts';
import type { Caller } from '../caller.ts';
import { isConnectionLost } from '../postgres/constraints.ts';
import { combineReads, combineWrites, splitCombinedRead } from '../postgres/one-statement.ts';
import type { Statement } from '../postgres/prepared-client.ts';
import { APPLICATION_ROLE, roleLost } from '../postgres/session.ts';
import type { Transaction } from '../postgres/transaction.ts';
import type { Change } from './change.ts';
import {
  type Command,
  type CommandOutcome,
  type Stamp,
  type WriteContext,
  type WriteResult,
  writerOf,
} from './command.ts';
import { plusMicroseconds } from './instant.ts';
import {
  appendChangesets,
  type Changeset,
  lockHead,
  moveHead,
  nextRevision,
  type OrganizationState,
  organizationState,
  type PresentHead,
} from './ledger-statements.ts';
import { recentlyReadAmong } from './read-protection.ts';
import { assertAccess, assertWritable, type WriteRules } from './write-rules.ts';
import { writesOfSet } from './write-set.ts';

const SAVEPOINT: Statement = { text: 'savepoint command', values: [] };
const UNDO: readonly Statement[] = [
  { text: 'rollback to savepoint command', values: [] },
  { text: 'release savepoint command', values: [] },
];
const KEEP: Statement = { text: 'release savepoint command', values: [] };
/** Checks the deferred constraints now, while it is known which command violates them. */
const CHECK: readonly Statement[] = [
  { text: 'set constraints all immediate', values: [] },
  { text: 'set constraints all deferred', values: [] },
];

/** The transaction failed for a reason that no command caused, so every other command would fail, too. */
export class TransactionRefused extends Error {}

/**
 * One transaction that runs commands of one organization. Each command has its own revision. A rejected command does
 * not undo the others: once a command has changed something, every later command runs in a savepoint.
 */
export class WriteTransaction {
  /** The changes of all commands so far. If there are none, there is nothing to commit. */
  readonly changes: Change[] = [];
  private locked: Promise<void> | null = null;
  /** The latest revision that may have changed people or permissions, including the writes of this transaction. */
  private people: Revision = 0;
  private readProtection: number | null = null;
  private head: PresentHead | null = null;
  private committed = false;

  constructor(
    private readonly organizationId: OrganizationId,
    private readonly transaction: Transaction,
    private readonly rules: WriteRules,
    /** Returns whether the running command is the last one. */
    private readonly isLast: () => boolean = () => true,
  ) {}

  get isCommitted(): boolean {
    return this.committed;
  }

  async runOne(command: Command<unknown>): Promise<CommandOutcome> {
    try {
      return { written: await this.written(command) };
    } catch (error) {
      await this.undoAfter(error);
      return { refused: error };
    }
  }

  /**
   * Runs commands of one kind together. If the next command needs more than the set has read, it returns fewer outcomes
   * than commands. If the database rejects the set, or the write changes other objects, too, it returns none. Commands
   * without an outcome must run one by one.
   */
  async runSet(commands: readonly Command<unknown>[]): Promise<readonly CommandOutcome[]> {
    const members = commands.flatMap(({ caller, inSet }) => (inSet ? [{ caller, ...inSet }] : []));
    const [member] = members;
    if (!member || this.rules.hasHook(member.operation.objectType)) return [];
    const { operation } = member;
    const inputs = members.map(({ input }) => input);
    try {
      const { found } = await this.enter(operation.load(this.organizationId, inputs));
      const callers = await this.reauthorized(members.map(({ caller }) => caller));
      const requests = callers.map(({ caller, refusal }, index) => ({
        caller: writerOf(caller),
        refusal,
        input: inputs[index],
      }));
      const decisions = await operation.decide(requests, found);
      const decided = writesOfSet(requests, decisions, this.head as PresentHead);
      const { changesets, rows, outcomes } = decided;
      const last = changesets.at(-1);
      if (!last) await this.undo();
      else {
        const stored = [moveHead(this.organizationId, last), operation.store(this.organizationId, rows)];
        await this.leave(changesets, stored);
      }
      return outcomes;
    } catch (error) {
      await this.undoAfter(error);
      // A failure here applies to the whole organization, so every command gets it. After any other error, the commands
      // run one by one, which finds the one that caused it and its error.
      return error instanceof Failure ? commands.map(() => ({ refused: error })) : [];
    }
  }

  /** Dry-runs a command. `inspect` sees the result before the code that opened the transaction rolls it back. */
  async dryRun<Result, Seen>(
    command: Command<Result>,
    inspect: (context: WriteContext, result: Result, changes: readonly Change[]) => Promise<Seen>,
  ): Promise<Seen> {
    const { context, changes } = await this.begin(command);
    const result = await command.run(context);
    await this.complete(context, changes);
    await this.transaction.send(...CHECK);
    return inspect(context, result, changes);
  }

  private async written(command: Command<unknown>): Promise<WriteResult<unknown>> {
    const { caller, storedResult = 'result' } = command;
    const { idempotencyKey } = caller;
    const { idempotencyKeys } = this.rules;
    const { context, changes } = await this.begin(command);
    const { em, revision, at } = context;
    const earlier = idempotencyKey && (await idempotencyKeys.findPrevious(em, caller, idempotencyKey));
    const result = earlier ? earlier.result : await command.run(context);
    if (changes.length === 0) {
      await this.undo();
      return { result, revision: earlier?.revision ?? revision - 1 };
    }
    await this.complete(context, changes);
    if (!command.isForced && caller.authorization !== null) {
      const recent = await recentlyReadAmong(context, changes, this.readProtection);
      if (recent) throw recent.failure;
    }
    const outcome = { revision, at, result, storedResult };
    const remembered = idempotencyKey ? await idempotencyKeys.storeStatements(caller, idempotencyKey, outcome) : [];
    await this.leave([{ caller, revision, at, changes, note: command.note }], remembered);
    return { result, revision };
  }

  private async begin(command: Command<unknown>) {
    const {
      written: [[stamp] = []],
    } = await this.enter([], nextRevision(this.organizationId));
    const [{ caller, refusal } = { caller: command.caller, refusal: null }] = await this.reauthorized([command.caller]);
    if (refusal) throw refusal;
    const { revision, at } = stamp as Stamp;
    const changes: Change[] = [];
    const writer = writerOf(caller);
    const context: WriteContext = {
      caller: writer,
      em: this.transaction.em,
      revision,
      at,
      record: (change, changedBy = writer) => {
        assertAccess(changedBy, change);
        changes.push(change);
      },
      recordUnchangedSecret: () => undefined,
    };
    return { context, changes };
  }

  /** Runs the hooks of the changes, which may record more. */
  private async complete(context: WriteContext, changes: readonly Change[]): Promise<void> {
    for (const [hook, concerning] of this.rules.hooksOf(changes)) await hook(context, this.organizationId, concerning);
  }

  /**
   * Returns the callers with the permissions that apply now, because those of the request may have ended while it
   * waited. They cannot change until this transaction ends, because such a change would need the lock of the head row.
   * It runs no statement unless accounts or permissions have changed.
   */
  private async reauthorized(callers: readonly Caller[]): Promise<readonly Reauthorized<Caller>[]> {
    const outdated = callers.filter((caller) => needsReauthorization(caller, this.people));
    if (outdated.length === 0) return callers.map((caller) => ({ caller, refusal: null }));
    const [rows = []] = await this.transaction.send(currentPermissions(this.organizationId, outdated));
    const current = reauthorized(outdated, rows, this.people);
    const byCaller = new Map(outdated.map((caller, index) => [caller as Caller, current[index]]));
    return callers.map((caller) => byCaller.get(caller) ?? { caller, refusal: null });
  }

  /**
   * Sends the first statements of a command. The first command also locks the head row, for all commands. Whether the
   * organization accepts writes is checked for each command.
   */
  private async enter(reads: readonly Statement[], ...writes: readonly Statement[]) {
    this.locked ??= this.lock();
    const before = this.isDone ? [SAVEPOINT] : [];
    const read = combineReads([organizationState(this.organizationId), ...reads]);
    const entered = this.transaction.send(...before, read, ...writes);
    // Both were sent together. If the lock fails, its error is the reason, so ignore the error of these statements.
    entered.catch(() => undefined);
    await this.locked;
    const [rows = [], ...written] = (await entered).slice(before.length);
    const [[state] = [], ...found] = splitCombinedRead(rows);
    const { people, readProtection } = assertWritable(state as OrganizationState | undefined);
    this.people = people;
    this.readProtection = readProtection;
    return { found, written };
  }

  private async lock(): Promise<void> {
    try {
      const [[head] = []] = await this.transaction.send(lockHead(this.organizationId));
      this.head = head as PresentHead;
      // A connection pooler can change its mode while the core runs.
      if (this.head.currentUser !== APPLICATION_ROLE) throw roleLost();
    } catch (cause) {
      throw new TransactionRefused('The head row cannot be locked.', { cause });
    }
  }

  /** Commits if a command has changed anything, and rolls back otherwise. */
  async end(): Promise<void> {
    if (this.committed) return;
    if (this.isDone) await this.transaction.commit();
    else await this.transaction.rollback();
  }

  /** True if an earlier command has changes that a later failure must not undo. */
  private get isDone(): boolean {
    return this.changes.length > 0;
  }

  /** Stores the changes. The last statement of a transaction is sent together with its commit. */
  private async leave(changesets: readonly Changeset[], statements: readonly Statement[]): Promise<void> {
    const changes = changesets.flatMap((changeset) => changeset.changes);
    const [first, ...others] = [
      ...statements,
      ...appendChangesets(this.organizationId, changesets),
      ...this.rules.following(this.organizationId, changes),
    ];
    const recorded = combineWrites([first as Statement, ...others]);
    if (this.isDone) await this.transaction.send(recorded, ...CHECK, KEEP);
    else if (!this.isLast()) await this.transaction.send(recorded, ...CHECK);
    else {
      await this.transaction.commit(recorded);
      this.committed = true;
    }
    this.changes.push(...changes);
    const { revision, at } = changesets.at(-1) as Changeset;
    this.head = { ...(this.head as PresentHead), revision, at, nextAt: plusMicroseconds(at, 1) };
  }

  private async undo(): Promise<void> {
    if (this.isDone) return void (await this.transaction.send(...UNDO));
    this.locked = null;
    await this.transaction.rollback();
  }

  /**
   * Undoes the command that failed. Throws the error again if no command caused it, because the transaction has ended
   * then.
   */
  private async undoAfter(reason: unknown): Promise<void> {
    if (reason instanceof TransactionRefused || isConnectionLost(reason)) throw reason;
    await this.undo();
  }
}
