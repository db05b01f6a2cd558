import { Inject, Injectable } from '@nestjs/common';
import { Failure, type ObjectType, type OrganizationId, type Uuid } from '@strata/domain';
import { DataSource, type EntityManager } from 'typeorm';
import { reauthorize } from '../auth/reauthorization.ts';
import type { Caller } from '../caller.ts';
import type { Env } from '../env.ts';
import { bindToRequest, useCurrentPermissions, withoutDisclosure } from '../limits/request-limits.ts';
import { ChangeNotifier, chooseTopic } from '../notifications/change-notifier.ts';
import { coreObserver, type ObservedWrite } from '../observer.ts';
import type { Statement } from '../postgres/prepared-client.ts';
import { withinOrganization } from '../postgres/tenants.ts';
import { Transaction } from '../postgres/transaction.ts';
import { ENV } from '../tokens.ts';
import { Vault } from '../vault/vault.ts';
import type { Change } from './change.ts';
import {
  type BeforeCommitHook,
  type Command,
  type CommandOutcome,
  createWriter,
  type OutboxStatement,
  type SetMember,
  type WriteContext,
  type WriteResult,
} from './command.ts';
import { IdempotencyKeys } from './idempotency-keys.ts';
import { type PresentHead, presentHead } from './ledger-statements.ts';
import { OrganizationQueues, type QueuedWrite } from './organization-queues.ts';
import { RecentRows } from './recent-rows.ts';
import { SeenHeads } from './seen-heads.ts';
import type { WriteSetup } from './write-at-once.ts';
import { WriteRules } from './write-rules.ts';
import { TransactionError, WriteTransaction } from './write-transaction.ts';

/**
 * The largest group of writes in one transaction. It limits how much a lost connection affects, and how long the first
 * write waits for its result.
 */
const GROUP_MAX = 32;
const GROUP_MS_MAX = 20;

/** A command that waits to run. */
interface Waiting extends QueuedWrite, ObservedWrite {
  readonly command: Command<unknown>;
  takenAt: number;
  /** The command as a member of a set; null if it is not one. */
  readonly member: SetMember<unknown> | null;
  /** Whether it is the only command of its set. */
  isAlone: boolean;
  /** Runs work of this command as part of its request. */
  readonly inRequest: (work: () => Promise<unknown>) => Promise<unknown>;
  resolve(written: WriteResult<unknown>): void;
}

/** Other work that must lock the organization. */
interface Task extends QueuedWrite {
  /** Reports its own result and never throws. */
  run(): Promise<void>;
}

/**
 * The only way to write. Runs the commands of an organization in the order in which they arrive. Each transaction first
 * locks the organization's head row, so everything that a command reads and decides is still true at commit. Commands
 * that wait for the same organization share one transaction, but each has its own revision, error and response. No
 * response is sent before the commit.
 */
@Injectable()
export class UnitOfWork {
  private readonly rules: WriteRules;
  private readonly recentRows = new RecentRows();
  private readonly queues: OrganizationQueues<Waiting | Task>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly notifier: ChangeNotifier,
    private readonly idempotencyKeys: IdempotencyKeys,
    private readonly vault: Vault,
    private readonly seenHeads: SeenHeads,
    @Inject(ENV) { STRATA_WRITE_WAIT_SECONDS: seconds }: Env,
  ) {
    this.rules = new WriteRules(idempotencyKeys);
    this.queues = new OrganizationQueues(
      seconds * 1_000,
      (organizationId, queue) => withinOrganization(organizationId, () => this.serve(organizationId, queue)),
      GROUP_MAX,
    );
  }

  /** Features call it once at start, to change their objects when others change. */
  addHook(objectType: ObjectType, hook: BeforeCommitHook): void {
    this.rules.addHook(objectType, hook);
  }

  /** The feature whose messages must be stored with the changes calls it once at start. */
  setOutbox(statement: OutboxStatement): void {
    this.rules.setOutbox(statement);
  }

  /**
   * Runs one command as one revision; combine several with `combineCommands`. A retry with the same `Idempotency-Key` does
   * nothing and returns the result and the revision of the first request.
   */
  async run<Result>(command: Command<Result>): Promise<WriteResult<Result>> {
    const { organizationId } = command.caller;
    await this.vault.prepare(organizationId);
    return new Promise((resolve, reject) => {
      const settle = resolve as (written: WriteResult<unknown>) => void;
      const { inSet } = command;
      const member = inSet && !this.rules.hasHook(inSet.operation.objectType) ? inSet : null;
      const isAlone = !member || member.isAlone === true || command.caller.idempotencyKey !== null;
      const inRequest = bindToRequest((work: () => Promise<unknown>) => work());
      const since = performance.now();
      const trace = coreObserver?.traceContext() ?? null;
      const bound = { ...command, onAuthorized: bindToRequest(useCurrentPermissions) };
      const waitingCommand = {
        ...{ since, takenAt: since, trace, command: bound, member, isAlone, inRequest, resolve: settle, reject },
      };
      this.queues.add(organizationId, waitingCommand);
    });
  }

  /**
   * Dry-runs a command: it waits in the queue and runs, `inspect` reads the result, and the transaction is rolled back.
   * There is no new revision and no notification.
   */
  dryRun<Result, Seen>(
    command: Command<Result>,
    inspect: (context: WriteContext, result: Result, changes: readonly Change[]) => Promise<Seen>,
  ): Promise<Seen> {
    const { organizationId } = command.caller;
    return this.inOrder(organizationId, async (transaction) => {
      const inspection = await new WriteTransaction(this.setup(organizationId, transaction)).dryRun(command, inspect);
      await transaction.rollback();
      return inspection;
    });
  }

  /**
   * Returns what a write would decide, without writing. A preview does not wait for writes, and works while the
   * organization is under maintenance. All its statements read one read-only snapshot.
   */
  async preview<Result>(
    caller: Caller,
    body: (context: Pick<WriteContext, 'em' | 'at' | 'caller'>) => Promise<Result>,
  ): Promise<WriteResult<Result>> {
    return Transaction.read(this.dataSource, async (transaction) => {
      const [[head] = []] = (await transaction.send(presentHead(caller.organizationId))) as PresentHead[][];
      if (!head) throw Failure.notFound('Organization');
      const result = await body({ em: transaction.em, at: head.at, caller: createWriter(caller) });
      return { result, revision: head.revision };
    });
  }

  /**
   * Creates an object that does not belong to the caller's organization, once per `Idempotency-Key`. Returns the id of
   * the created object: `fresh`, or the earlier one for a retry.
   */
  async once(caller: Caller, newId: Uuid, make: (em: EntityManager) => Promise<unknown>): Promise<Uuid> {
    const { organizationId, idempotencyKey } = caller;
    const createOnce = async (transaction: Transaction) => {
      await transaction.begin();
      const claimedId = await this.idempotencyKeys.claim(transaction, caller, newId);
      if (idempotencyKey) await assertAdmitted(transaction, caller);
      if (claimedId === null) await make(transaction.em);
      await transaction.commit();
      return claimedId ?? newId;
    };
    if (idempotencyKey) return this.inOrder(organizationId, createOnce);
    return this.inTransaction(createOnce);
  }

  private async inOrder<T>(organizationId: OrganizationId, body: (transaction: Transaction) => Promise<T>): Promise<T> {
    await this.vault.prepare(organizationId);
    return new Promise((resolve, reject) => {
      const work = bindToRequest(body);
      const run = () => this.inTransaction(work).then(resolve, reject);
      this.queues.add(organizationId, { since: performance.now(), run, reject });
    });
  }

  private async inTransaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    try {
      return await Transaction.run(this.dataSource, work);
    } catch (error) {
      throw error instanceof TransactionError ? error.cause : error;
    }
  }

  private async serve(organizationId: OrganizationId, queue: (Waiting | Task)[]): Promise<number> {
    const [first] = queue;
    if (isTask(first)) {
      queue.shift();
      await first.run();
      return 1;
    }
    let size = 0;
    const work = async () => {
      const takenCommands = await this.serveCommands(organizationId, queue);
      size = takenCommands.length;
      return takenCommands;
    };
    await (coreObserver && first ? coreObserver.writeBatch(first.trace, work) : work());
    return size;
  }

  /** Returns the commands that it took from the queue. */
  private async serveCommands(
    organizationId: OrganizationId,
    queue: (Waiting | Task)[],
  ): Promise<readonly ObservedWrite[]> {
    const takenCommands: Waiting[] = [];
    const outcomes: CommandOutcome[] = [];
    let changes: readonly Change[] = [];
    try {
      await this.inTransaction(async (transaction) => {
        const isOver = clock();
        const isLast = () =>
          takenCommands.length >= GROUP_MAX || isOver() || runsAlone(takenCommands[0]) || runsAlone(queue[0]);
        const write = new WriteTransaction(this.setup(organizationId, transaction), isLast);
        changes = write.changes;
        do {
          const set = takeSet(queue, GROUP_MAX - takenCommands.length);
          takenCommands.push(...set);
          outcomes.push(...(await runCommands(write, set)));
          queue.unshift(...asSetsOfOne(takenCommands.splice(outcomes.length)));
        } while (!write.isCommitted && !isLast());
        await write.end();
      });
    } catch (reason) {
      // without a connection, all waiting commands fail
      const lostCommands = takenCommands.length > 0 ? takenCommands : takeCommands(queue);
      for (const [index, { reject }] of lostCommands.entries()) reject(errorFrom(outcomes[index]) ?? reason);
      return takenCommands;
    }
    for (const [index, { resolve, reject }] of takenCommands.entries()) {
      const outcome = outcomes[index];
      if (outcome && 'written' in outcome) resolve(outcome.written);
      else reject(errorFrom(outcome));
    }
    if (changes.length > 0) this.notifier.inform(organizationId, chooseTopic(changes));
    return takenCommands;
  }

  private setup(organizationId: OrganizationId, transaction: Transaction): WriteSetup {
    const notification = (changes: readonly Change[]) => this.notifier.statement(organizationId, chooseTopic(changes));
    const { rules, recentRows, seenHeads } = this;
    return { organizationId, transaction, rules, recentRows, seenHeads, notification };
  }
}

/** Throws the error that a new request would get if the caller's authorization ended during the wait. */
async function assertAdmitted(transaction: Transaction, caller: Caller): Promise<void> {
  const read = async (statement: Statement) => (await transaction.send(statement)).flat();
  const [current] = await reauthorize(caller.organizationId, [caller], null, read);
  if (current?.failure) throw current.failure;
}

function errorFrom(outcome: CommandOutcome | undefined): unknown {
  return outcome && 'error' in outcome ? outcome.error : null;
}

/** Returns a function that returns true once the group has taken commands for long enough. */
function clock(): () => boolean {
  const startedAt = performance.now();
  return () => performance.now() - startedAt >= GROUP_MS_MAX;
}

/** Removes from the queue the next command and the commands behind it that can run in the same set. */
function takeSet(queue: (Waiting | Task)[], countMax: number): readonly Waiting[] {
  const first = queue.shift() as Waiting;
  const set = [first];
  const operation = first.member?.operation;
  const rows = new Set([rowKey(first)]);
  while (operation && !first.isAlone && set.length < countMax) {
    const next = queue[0];
    if (!next || isTask(next) || next.isAlone || next.member?.operation !== operation) break;
    if (!operation.afterWrite && rows.has(rowKey(next))) break;
    rows.add(rowKey(next));
    set.push(next);
    queue.shift();
  }
  const takenAt = performance.now();
  for (const write of set) write.takenAt = takenAt;
  return set;
}

function rowKey({ member }: Waiting): string {
  return member ? member.operation.rowKey(member.input) : '';
}

/**
 * Runs a set of commands. A command without an outcome must run as a set of one afterwards. A set of several contains
 * commands of several requests, so its decryptions are recorded for none of them; it validates no stored secret.
 */
async function runCommands(write: WriteTransaction, set: readonly Waiting[]): Promise<readonly CommandOutcome[]> {
  const [first] = set;
  if (!first) return [];
  const { command, member, inRequest } = first;
  if (member) {
    const run = () => write.runSet(set.map((waitingCommand) => waitingCommand.command));
    return set.length === 1 ? (inRequest(run) as ReturnType<typeof run>) : withoutDisclosure(run);
  }
  return [await write.runOne({ ...command, run: (context) => inRequest(() => command.run(context)) })];
}

function asSetsOfOne(waitingCommands: readonly Waiting[]): readonly Waiting[] {
  for (const write of waitingCommands) write.isAlone = true;
  return waitingCommands;
}

const isTask = (item: Waiting | Task | undefined): item is Task => item !== undefined && 'run' in item;
const runsAlone = (item: Waiting | Task | undefined): boolean => !item || isTask(item) || item.command.isLong === true;

/** Removes all commands from the queue and returns them. Tasks stay: they report their own failure. */
function takeCommands(queue: (Waiting | Task)[]): readonly Waiting[] {
  const items = queue.splice(0);
  queue.push(...items.filter(isTask));
  return items.filter((item): item is Waiting => !isTask(item));
}
