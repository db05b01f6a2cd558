import { Failure, type OrganizationId, type Revision } from '@strata/domain';
import { reauthorize } from '../auth/reauthorization.ts';
import type { Caller } from '../caller.ts';
import { isCommitOutcomeUnknown } from '../postgres/constraints.ts';
import { combineReads, combineWrites, splitCombinedRead } from '../postgres/one-statement.ts';
import type { Statement } from '../postgres/prepared-client.ts';
import { APPLICATION_ROLE, roleLostError } from '../postgres/session.ts';
import type { Transaction } from '../postgres/transaction.ts';
import type { Change } from './change.ts';
import {
  type Command,
  type CommandOutcome,
  createWriter,
  type SetMember,
  type Stamp,
  type WriteContext,
  type WriteResult,
} from './command.ts';
import { plusMicroseconds } from './instant.ts';
import {
  appendChangesets,
  type Changeset,
  type LinkedChangeset,
  linkChangesets,
  lockHeadStatement,
  moveHead,
  nextRevision,
  type OrganizationState,
  organizationState,
  type PresentHead,
  setStamp,
} from './ledger-statements.ts';
import { findRecentlyRead } from './read-protection.ts';
import type { WrittenSet } from './recent-rows.ts';
import { type WriteSetup, writeAtOnce } from './write-at-once.ts';
import { assertAccess, assertWritable, type WriteRules } from './write-rules.ts';
import { decideSet, readRows } from './write-set.ts';

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
export class TransactionError extends Error {}

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
  private clock = { at: '', receivedAt: 0 };
  private committed = false;

  private readonly organizationId: OrganizationId;
  private readonly transaction: Transaction;
  private readonly rules: WriteRules;

  constructor(
    private readonly setup: WriteSetup,
    /** Returns whether the running command is the last one. */
    private readonly isLast: () => boolean = () => true,
  ) {
    this.organizationId = setup.organizationId;
    this.transaction = setup.transaction;
    this.rules = setup.rules;
  }

  get isCommitted(): boolean {
    return this.committed;
  }

  async runOne(command: Command<unknown>): Promise<CommandOutcome> {
    try {
      return { written: await this.written(command) };
    } catch (error) {
      await this.undoAfter(error);
      return { error };
    }
  }

  /**
   * Runs commands of one kind together; a single command is a set of one. If the next command must be alone, it returns
   * fewer outcomes than commands. If the database rejects a set of several, it returns none. Commands without an outcome
   * must run as sets of one.
   */
  async runSet(commands: readonly Command<unknown>[]): Promise<readonly CommandOutcome[]> {
    try {
      return (await this.writeAtOnce(commands)) ?? (await this.writeSet(commands));
    } catch (error) {
      await this.undoAfter(error);
      // A failure here applies to the whole organization, so every command gets it. After any other error of a set of
      // several, its commands run one by one, which finds the one that caused it and its error.
      const isFinal = error instanceof Failure || commands.length === 1;
      return isFinal ? commands.map(() => ({ error })) : [];
    }
  }

  /** Writes the set in one statement; null if that is not possible, because something may have changed. */
  private async writeAtOnce(commands: readonly Command<unknown>[]): Promise<readonly CommandOutcome[] | null> {
    if (this.locked || !this.isLast()) return null;
    const writeResults = await writeAtOnce(this.setup, commands);
    if (!writeResults) return null;
    this.committed = true;
    this.changes.push(...writeResults.changes);
    return writeResults.outcomes;
  }

  private async writeSet(commands: readonly Command<unknown>[]): Promise<readonly CommandOutcome[]> {
    const { organizationId, transaction } = this;
    const { idempotencyKeys } = this.rules;
    const members = commands.flatMap(({ inSet }) => inSet ?? []);
    const inputs = members.map(({ input }) => input);
    const { operation } = members[0] as SetMember<unknown>;
    // Only a set of one may have an `Idempotency-Key`.
    const keyed = commands.find(({ caller }) => caller.idempotencyKey !== null);
    const previous = keyed ? idempotencyKeys.previous(keyed.caller) : [];
    const { loaded } = await this.enter([...previous, ...operation.load(organizationId, inputs)]);
    const previousRows = loaded.splice(0, previous.length).flat();
    const callers = await this.reauthorized(commands);
    const requests = callers.map(({ caller, failure }, index) => ({
      caller: createWriter(caller),
      ...{ failure, em: transaction.em, input: inputs[index], loaded, index },
    }));
    const isDenied = requests.some(({ failure }) => failure !== null);
    const earlierResult = keyed && !isDenied && (await idempotencyKeys.openPrevious(keyed.caller, previousRows));
    if (earlierResult) {
      await this.repeat();
      return [{ written: earlierResult }];
    }
    const before = this.head as PresentHead;
    const decision = await decideSet(operation, requests, before);
    const { batches, outcomes, afterWrites, settle } = decision;
    const changesets = this.linked(decision.changesets);
    const lastChangeset = changesets.at(-1);
    if (!lastChangeset) return this.undone(outcomes);
    const [store, ...overwrites] = batches.map((rows) => operation.store(organizationId, rows));
    const writes = [moveHead(organizationId, lastChangeset), store as Statement] as const;
    if (settle) {
      await transaction.send(combineWrites([...writes, setStamp(organizationId, lastChangeset)]));
      await settle();
    }
    const outcome = { ...lastChangeset, result: writtenResult(outcomes), storedResult: keyed?.storedResult };
    const keyStatements = keyed ? await idempotencyKeys.storeStatements(keyed.caller, outcome) : [];
    await this.leave(changesets, [...(settle ? [] : writes), ...keyStatements], overwrites);
    if (this.committed && !settle) this.keepRows({ operation, before, afterWrites }, lastChangeset);
    else this.setup.recentRows.clear(organizationId);
    return outcomes;
  }

  private linked(changesets: readonly Changeset[]): LinkedChangeset[] {
    return linkChangesets(this.organizationId, (this.head as PresentHead).link, changesets);
  }

  private keepRows(
    set: Pick<WrittenSet, 'operation' | 'before' | 'afterWrites'>,
    { revision, at, link }: LinkedChangeset,
  ): void {
    const after = { epoch: set.before.epoch, revision, at, link, people: this.people, clock: this.clock };
    this.setup.recentRows.add(this.organizationId, { ...set, after });
  }

  private async undone(outcomes: readonly CommandOutcome[]): Promise<readonly CommandOutcome[]> {
    await this.undo();
    return outcomes;
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
    const { caller, storedResult } = command;
    const { idempotencyKeys } = this.rules;
    const { context, changes } = await this.begin(command);
    const { em, revision, at } = context;
    const [statement] = idempotencyKeys.previous(caller);
    const earlierResult = statement && (await idempotencyKeys.openPrevious(caller, await readRows(em, statement)));
    const result = earlierResult ? earlierResult.result : await command.run(context);
    if (earlierResult) {
      await this.repeat();
      return { result, revision: earlierResult.revision };
    }
    if (changes.length === 0) {
      await this.undo();
      return { result, revision: revision - 1 };
    }
    await this.complete(context, changes);
    await this.assertNotEnded(command, context.caller, changes);
    if (!command.isForced && caller.authorization !== null) {
      const recentReads = await findRecentlyRead(context, changes, this.readProtection);
      if (recentReads) throw recentReads.failure.at(command.locateChange?.(recentReads.change));
    }
    const keyStatements = await idempotencyKeys.storeStatements(caller, { revision, at, result, storedResult });
    const [changeset] = this.linked([{ caller, revision, at, changes, note: command.note }]) as [LinkedChangeset];
    await this.leave([changeset], [moveHead(this.organizationId, changeset), ...keyStatements]);
    this.setup.recentRows.clear(this.organizationId);
    return { result, revision };
  }

  private async begin(command: Command<unknown>) {
    const {
      written: [[stamp] = []],
    } = await this.enter([], nextRevision(this.organizationId));
    const [{ caller, failure } = { caller: command.caller, failure: null }] = await this.reauthorized([command]);
    if (failure) throw failure;
    const { revision, at } = stamp as Stamp;
    const changes: Change[] = [];
    const writer = createWriter(caller);
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

  /** Throws if a temporary grant has ended while the command ran, and the caller may not make its changes without it. */
  private async assertNotEnded(
    command: Command<unknown>,
    { validUntil }: Caller,
    changes: readonly Change[],
  ): Promise<void> {
    if (validUntil === undefined) return;
    const [current] = await this.reauthorized([command]);
    if (current?.failure) throw current.failure;
    if (!current || current.caller.validUntil === validUntil) return;
    for (const change of changes) assertAccess(current.caller, change);
  }

  /** Runs the hooks of the changes, which may record more. */
  private async complete(context: WriteContext, changes: readonly Change[]): Promise<void> {
    for (const [hook, relevantChanges] of this.rules.selectHooks(changes))
      await hook(context, this.organizationId, relevantChanges);
  }

  private async reauthorized(commands: readonly Command<unknown>[]) {
    const read = async (statement: Statement) => (await this.transaction.send(statement)).flat();
    const callers = commands.map(({ caller }) => caller);
    const current = await reauthorize(this.organizationId, callers, this.people, read);
    for (const [index, command] of commands.entries()) {
      const caller = current[index]?.caller ?? command.caller;
      if (caller !== command.caller) command.onAuthorized?.(caller);
    }
    return current;
  }

  /**
   * Sends the first statements of a command. The first command also locks the head row, for all commands. Whether the
   * organization accepts writes is checked for each command.
   */
  private async enter(reads: readonly Statement[], ...writes: readonly Statement[]) {
    this.locked ??= this.lock();
    const before = this.isDone ? [SAVEPOINT] : [];
    const read = combineReads([organizationState(this.organizationId), ...reads]);
    const sentStatements = this.transaction.send(...before, read, ...writes);
    // Both were sent together. If the lock fails, its error is the reason, so ignore the error of these statements.
    sentStatements.catch(() => undefined);
    await this.locked;
    const [rows = [], ...writtenRows] = (await sentStatements).slice(before.length);
    const [[state] = [], ...loadedRows] = splitCombinedRead(rows);
    const { people, readProtection } = assertWritable(state as OrganizationState | undefined);
    this.people = people;
    this.readProtection = readProtection;
    return { loaded: loadedRows, written: writtenRows };
  }

  private async lock(): Promise<void> {
    try {
      const [[head] = []] = await this.transaction.send(lockHeadStatement(this.organizationId));
      this.head = head as PresentHead;
      this.clock = { at: this.head.nextAt, receivedAt: performance.now() };
      // A connection pooler can change its mode while the core runs.
      if (this.head.currentUser !== APPLICATION_ROLE) throw roleLostError();
    } catch (cause) {
      throw new TransactionError('The head row cannot be locked.', { cause });
    }
  }

  /** Commits if a command has changed anything, and rolls back otherwise. */
  async end(): Promise<void> {
    if (this.committed) return;
    if (!this.isDone) return this.transaction.rollback();
    await this.transaction.commit([], this.setup.notification(this.changes));
    this.keepHead();
  }

  /** True if an earlier command has changes that a later failure must not undo. */
  private get isDone(): boolean {
    return this.changes.length > 0;
  }

  /**
   * Stores the changes. The last statement of a transaction is sent together with its commit. `overwrites` run one by one,
   * after the others, because a statement cannot update a row twice.
   */
  private async leave(
    changesets: readonly LinkedChangeset[],
    statements: readonly Statement[],
    overwrites: readonly Statement[] = [],
  ): Promise<void> {
    const changes = changesets.flatMap((changeset) => changeset.changes);
    const [first, ...otherStatements] = [
      ...statements,
      ...appendChangesets(this.organizationId, changesets),
      ...this.rules.following(this.organizationId, changes),
    ];
    const recordStatements = [combineWrites([first as Statement, ...otherStatements]), ...overwrites];
    if (this.isDone) await this.transaction.send(...recordStatements, ...CHECK, KEEP);
    else if (!this.isLast()) await this.transaction.send(...recordStatements, ...CHECK);
    else {
      await this.transaction.commit(recordStatements, this.setup.notification(changes));
      this.committed = true;
    }
    this.changes.push(...changes);
    const { revision, at, link } = changesets.at(-1) as LinkedChangeset;
    this.head = { ...(this.head as PresentHead), revision, at, link, nextAt: plusMicroseconds(at, 1) };
    if (this.committed) this.keepHead();
  }

  private keepHead(): void {
    this.setup.seenHeads.add(this.organizationId, this.head as PresentHead);
  }

  /**
   * Ends a command whose result an earlier request has stored. That request may not know whether a standby has its
   * commit. A commit of another lock waits for the standbys, and therefore also for that commit; a rollback would not.
   */
  private async repeat(): Promise<void> {
    await this.undo();
    if (!this.isDone) await this.transaction.commit([lockHeadStatement(this.organizationId)]);
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
    if (reason instanceof TransactionError || isCommitOutcomeUnknown(reason)) throw reason;
    await this.undo();
  }
}

const writtenResult = ([outcome]: readonly CommandOutcome[]): unknown =>
  outcome && 'written' in outcome ? outcome.written.result : undefined;
