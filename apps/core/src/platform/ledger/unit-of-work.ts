import { Injectable } from '@nestjs/common';
import { Failure, type ObjectType, type OrganizationId, type Uuid } from '@strata/domain';
import { DataSource, type EntityManager } from 'typeorm';
import type { Caller } from '../caller.ts';
import { isConnectionLost, outcomeUnknown } from '../database/constraints.ts';
import { IdempotencyKeys } from '../database/idempotency-keys.ts';
import { Transaction } from '../database/transaction.ts';
import { Vault } from '../vault/vault.ts';
import type { Change } from './change.ts';
import { ChangeNotifier, topicOf } from './change-notifier.ts';
import type { BeforeCommitHook, Command, OutboxStatement, WriteContext, Written } from './command.ts';
import { type HeldHead, presentHead } from './ledger-statements.ts';
import { OrganizationQueues } from './organization-queues.ts';
import { WriteRules } from './write-rules.ts';
import { type Outcome, WriteTransaction } from './write-transaction.ts';

/** What goes together: a bound on what is lost with a connection, and on how long the first one waits for its answer. */
const GROUP_MAX = 32;
const GROUP_MS_MAX = 20;

/** A command that waits for its turn. */
interface Waiting {
  readonly command: Command<unknown>;
  resolve(written: Written<unknown>): void;
  reject(reason: unknown): void;
}

/** Something else that must have the organization for itself. It settles itself and never throws. */
type Task = () => Promise<void>;

/**
 * The one way to write: carries out commands, in the order in which they came. It takes the organization's head row first,
 * so everything that is read and decided inside is still true at commit. Commands that wait for the same organization are
 * carried out in one transaction, each with its own revision, refusal and answer; no answer leaves before the commit.
 */
@Injectable()
export class UnitOfWork {
  private readonly rules: WriteRules;
  private readonly queues = new OrganizationQueues<Waiting | Task>((organizationId, queue) =>
    this.serve(organizationId, queue),
  );

  constructor(
    private readonly dataSource: DataSource,
    private readonly notifier: ChangeNotifier,
    private readonly idempotencyKeys: IdempotencyKeys,
    private readonly vault: Vault,
  ) {
    this.rules = new WriteRules(idempotencyKeys);
  }

  /** Called once at start by the features that change something of theirs when something else changes. */
  addHook(objectType: ObjectType, hook: BeforeCommitHook): void {
    this.rules.addHook(objectType, hook);
  }

  /** Called once at start by the features whose work must be stored with the change. */
  addOutbox(statement: OutboxStatement): void {
    this.rules.addOutbox(statement);
  }

  /**
   * One request: one command, one revision; several are `combined`. Sent again with the same `Idempotency-Key`, it does
   * nothing and has the result and the revision of the first time.
   */
  async run<Result>(command: Command<Result>): Promise<Written<Result>> {
    const { organizationId } = command.caller;
    await this.vault.prepare(organizationId);
    return new Promise((resolve, reject) => {
      const settle = resolve as (written: Written<unknown>) => void;
      this.queues.add(organizationId, { command, resolve: settle, reject });
    });
  }

  /**
   * What a command would do. It takes its turn like any other, is carried out, looked at by `inspect`, and undone: no
   * revision is minted, nobody is told.
   */
  rehearse<Result, Seen>(
    command: Command<Result>,
    inspect: (context: WriteContext, result: Result, changes: readonly Change[]) => Promise<Seen>,
  ): Promise<Seen> {
    const { organizationId } = command.caller;
    return this.inTurn(organizationId, async (transaction) => {
      const seen = await new WriteTransaction(organizationId, transaction, this.rules, false).rehearse(
        command,
        inspect,
      );
      await transaction.rollback();
      return seen;
    });
  }

  /**
   * What a write would decide, without one: it waits for nobody, and can be asked while nothing may be written. Its
   * statements see one state, and none of them can write.
   */
  async preview<Result>(
    { organizationId }: Caller,
    body: (context: Pick<WriteContext, 'em' | 'at'>) => Promise<Result>,
  ): Promise<Written<Result>> {
    return inTransaction(Transaction.openReading(this.dataSource), async (transaction) => {
      const [[head] = []] = (await transaction.send(presentHead(organizationId))) as HeldHead[][];
      if (!head) throw Failure.notFound('Organization');
      const result = await body({ em: transaction.em, at: head.at });
      await transaction.rollback();
      return { result, revision: head.revision };
    });
  }

  /**
   * Makes what is no write of the caller's organization, once per `Idempotency-Key`. Answers the id of what the request has
   * made: `fresh`, or another one when it came before.
   */
  async once(
    caller: Pick<Caller, 'id' | 'organizationId' | 'idempotencyKey'>,
    fresh: Uuid,
    make: (em: EntityManager) => Promise<unknown>,
  ): Promise<Uuid> {
    const { organizationId, idempotencyKey } = caller;
    const made = async (transaction: Transaction) => {
      const known = await this.idempotencyKeys.taken(transaction, caller, fresh);
      if (known === null) await make(transaction.em);
      await transaction.commit();
      return known ?? fresh;
    };
    if (idempotencyKey) return this.inTurn(organizationId, made);
    return inTransaction(Transaction.open(this.dataSource), made);
  }

  private async inTurn<T>(organizationId: OrganizationId, body: (transaction: Transaction) => Promise<T>): Promise<T> {
    await this.vault.prepare(organizationId);
    return new Promise((resolve, reject) => {
      this.queues.add(organizationId, () =>
        inTransaction(Transaction.open(this.dataSource), body).then(resolve, reject),
      );
    });
  }

  private async serve(organizationId: OrganizationId, queue: (Waiting | Task)[]): Promise<void> {
    const [first] = queue;
    if (typeof first !== 'function') return this.serveGroup(organizationId, queue);
    queue.shift();
    return first();
  }

  private async serveGroup(organizationId: OrganizationId, queue: (Waiting | Task)[]): Promise<void> {
    const isShared = queue.length > 1 && !isAlone(queue[0]);
    const taken: Waiting[] = [];
    const outcomes: Outcome[] = [];
    let changes: readonly Change[] = [];
    try {
      await inTransaction(Transaction.open(this.dataSource), async (transaction) => {
        const write = new WriteTransaction(organizationId, transaction, this.rules, isShared);
        changes = write.changes;
        const began = performance.now();
        do {
          const set = takeSet(queue, isShared ? GROUP_MAX - taken.length : 1);
          taken.push(...set);
          outcomes.push(...(await carriedOut(write, set)));
        } while (
          isShared &&
          taken.length < GROUP_MAX &&
          performance.now() - began < GROUP_MS_MAX &&
          queue.length > 0 &&
          !isAlone(queue[0])
        );
        if (changes.length > 0) await transaction.commit();
        else await transaction.rollback();
      });
    } catch (reason) {
      // without a connection nobody who waits has anything to wait for
      const lost = taken.length > 0 ? taken : withdraw(queue);
      for (const { reject } of lost) reject(reason);
      return;
    }
    if (changes.length > 0) this.notifier.notify(organizationId, topicOf(changes));
    for (const [index, { resolve, reject }] of taken.entries()) {
      const outcome = outcomes[index];
      if (outcome && 'written' in outcome) resolve(outcome.written);
      else reject(outcome?.refused);
    }
  }
}

async function inTransaction<T>(
  opening: Promise<Transaction>,
  body: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const transaction = await opening;
  try {
    return await body(transaction);
  } catch (error) {
    await transaction.rollback();
    // what the server did answer is definite: then nothing is stored
    throw transaction.isCommitting && isConnectionLost(error) ? outcomeUnknown() : error;
  } finally {
    await transaction.release();
  }
}

/** The next command, with those behind it that can be carried out together with it. */
function takeSet(queue: (Waiting | Task)[], countMax: number): readonly Waiting[] {
  const set: Waiting[] = [];
  const rows = new Set<string>();
  for (let next = queue[0]; next && set.length < countMax && !isTask(next); next = queue[0]) {
    const { inSet, caller } = next.command;
    const isMember = inSet !== undefined && caller.idempotencyKey === null;
    const row = isMember ? inSet.operation.rowOf(inSet.input) : '';
    const operation = set[0]?.command.inSet?.operation;
    if (set.length > 0 && (!isMember || inSet.operation !== operation || rows.has(row))) break;
    set.push(next);
    queue.shift();
    if (!isMember) break;
    rows.add(row);
  }
  return set;
}

/** In the order of the set. */
async function carriedOut(write: WriteTransaction, set: readonly Waiting[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let rest = set; rest.length > 0; rest = set.slice(outcomes.length)) {
    const [first] = rest as readonly [Waiting];
    const { inSet, caller } = first.command;
    const together = inSet && !caller.idempotencyKey ? await write.runSet(rest.map(({ command }) => command)) : [];
    outcomes.push(...(together.length > 0 ? together : [await write.runOne(first.command)]));
  }
  return outcomes;
}

const isTask = (item: Waiting | Task): item is Task => typeof item === 'function';
const isAlone = (item: Waiting | Task | undefined): boolean => !item || isTask(item) || item.command.isLong === true;

/** Takes all commands out of the queue; tasks fail by themselves. */
function withdraw(queue: (Waiting | Task)[]): readonly Waiting[] {
  const items = queue.splice(0);
  queue.push(...items.filter(isTask));
  return items.filter((item): item is Waiting => !isTask(item));
}
