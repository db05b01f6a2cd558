import { Injectable } from '@nestjs/common';
import {
  demandIfControlled,
  demandOnScope,
  Failure,
  type ObjectType,
  type OrganizationId,
  type Revision,
} from '@strata/domain';
import { DataSource } from 'typeorm';
import type { Caller } from '../caller.ts';
import { Vault } from '../vault/vault.ts';
import { Bell, CONTENT, type Topic } from './bell.ts';
import { isConnectionLost, outcomeUnknown } from './constraints.ts';
import { IdempotencyKeys, type Remembered } from './idempotency-keys.ts';
import { type At, advance, advanceFrom, appended, type Change, isHeadMoved, present } from './ledger-statements.ts';
import type { Statement } from './prepared-client.ts';
import { Transaction } from './transaction.ts';
import { Turns } from './turns.ts';
import type { Companion, Consequence, KnownWrite, WriteContext, WriteOptions, Written } from './write.ts';

export type { At, Change, WriteContext, Written };

export const SHOWN_ONCE: WriteOptions = { isShownOnce: true };

const MAINTENANCE_RETRY_SECONDS = 30;

interface Task<T> {
  readonly caller: Caller;
  /** They travel with the statement that takes the head row. */
  readonly questions: readonly Statement[];
  readonly body: (context: WriteContext, answers: readonly object[][]) => Promise<T>;
  /** By the Idempotency-Key. */
  readonly remembered: Remembered;
}

interface Head {
  readonly revision: Revision;
  readonly at: string;
  readonly maintenance: boolean;
}

/**
 * The one way to write. Takes the organization's head row first, so everything that is read and decided inside is still
 * true at commit; a write that records no change is rolled back and mints no revision.
 */
@Injectable()
export class Work {
  private readonly companions = new Map<ObjectType, Companion>();
  private readonly consequences: Consequence[] = [];
  private readonly turns = new Turns();

  constructor(
    private readonly dataSource: DataSource,
    private readonly bell: Bell,
    private readonly idempotencyKeys: IdempotencyKeys,
    private readonly vault: Vault,
  ) {}

  /** Called once at start by the features that change something of theirs when something else changes. */
  addCompanion(objectType: ObjectType, companion: Companion): void {
    this.companions.set(objectType, companion);
  }

  /** Called once at start by the features whose work must be enqueued with the change. */
  addConsequence(consequence: Consequence): void {
    this.consequences.push(consequence);
  }

  /** Sent again with the same `Idempotency-Key`, it does nothing and has the result and the revision of the first time. */
  write<T>(
    caller: Caller,
    body: (context: WriteContext) => Promise<T>,
    { isShownOnce = false }: WriteOptions = {},
  ): Promise<Written<T>> {
    return this.inTurn({ caller, questions: [], body, remembered: isShownOnce ? 'shown_once' : 'result' });
  }

  /**
   * A write whose first question is known before it begins: it travels with the statement that takes the head row. Sent
   * again with the same `Idempotency-Key`, it has no result: what it did is to be read at its revision.
   */
  writeFrom<Row extends object, T>(
    caller: Caller,
    question: Statement,
    body: (context: WriteContext, found: Row[]) => Promise<T>,
  ): Promise<Written<T | undefined>> {
    return this.inTurn<T | undefined>({
      caller,
      questions: [question],
      body: (context, [found = []]) => body(context, found as Row[]),
      remembered: 'revision',
    });
  }

  /**
   * A write in one journey: what it was decided on is known as of a revision, and the one statement is all that it takes. Null,
   * with nothing written, when that cannot be said: the organization has moved on, or the request has an `Idempotency-Key`.
   */
  async writeAt<Row extends object, T>(
    caller: Caller,
    { at, ...write }: KnownWrite<Row, T>,
  ): Promise<Written<T> | null> {
    const { organizationId, idempotencyKey } = caller;
    const { statement, change } = write;
    if (idempotencyKey || this.companions.has(change.objectType)) return null;
    demandAccess(caller, change);
    const endTurn = await this.turns.take(organizationId);
    try {
      const known = at();
      if (known === null) return null;
      const revision = known.revision + 1;
      const own = [advanceFrom(organizationId, known), statement, appended(caller, revision, [change])];
      const statements = [...own, ...this.following(organizationId, [change])];
      const [, rows] = await this.inOneTransaction((transaction) => transaction.atOnce(statements));
      this.bell.ring(organizationId, topicOf([change]));
      return { result: write.made(rows as Row[], revision), revision };
    } catch (error) {
      if (isHeadMoved(error)) return null;
      throw error;
    } finally {
      endTurn();
    }
  }

  /**
   * What a write would decide, without one: it waits for nobody, and can be asked while nothing may be written. Its
   * statements see one state, and none of them can write.
   */
  async preview<T>(
    { organizationId }: Caller,
    body: (context: Pick<WriteContext, 'em' | 'at'>) => Promise<T>,
  ): Promise<Written<T>> {
    const transaction = await Transaction.openReading(this.dataSource);
    try {
      const [[head]] = await transaction.begin<Pick<Head, 'revision' | 'at'>>(present(organizationId));
      if (!head) throw Failure.notFound('Organization');
      return { result: await body({ em: transaction.em, at: head.at }), revision: head.revision };
    } finally {
      await transaction.rollback().catch(() => undefined);
      await transaction.release();
    }
  }

  private async inTurn<T>(task: Task<T>): Promise<Written<T>> {
    const endTurn = await this.turns.take(task.caller.organizationId);
    try {
      await this.vault.prepare(task.caller.organizationId);
      return await this.inOneTransaction((transaction) => this.run(transaction, task));
    } finally {
      endTurn();
    }
  }

  private async inOneTransaction<T>(run: (transaction: Transaction) => Promise<T>): Promise<T> {
    const transaction = await Transaction.open(this.dataSource);
    try {
      return await run(transaction);
    } catch (error) {
      const cause = transaction.failure ?? error;
      await transaction.rollback().catch(() => undefined);
      // what the server did answer is definite: then nothing is stored
      throw transaction.isCommitting && isConnectionLost(cause) ? outcomeUnknown() : cause;
    } finally {
      await transaction.release();
    }
  }

  private async run<T>(
    transaction: Transaction,
    { caller, questions, body, remembered }: Task<T>,
  ): Promise<Written<T>> {
    const { organizationId, idempotencyKey } = caller;
    const [[head], ...answers] = await transaction.begin<Head>(advance(organizationId), ...questions);
    const { revision, at } = demandWritable(head);
    const earlier = idempotencyKey && (await this.idempotencyKeys.earlier(transaction.em, caller, idempotencyKey));
    if (earlier) {
      await transaction.rollback();
      return earlier as Written<T>;
    }
    const changes: Change[] = [];
    const afterwards: (() => Promise<void>)[] = [];
    const context: WriteContext = {
      em: transaction.em,
      revision,
      at,
      record: (change) => void changes.push(change),
      send: (statement) => transaction.send(statement),
      afterwards: (work) => void afterwards.push(work),
    };
    const result = await body(context, answers);
    if (changes.length === 0) {
      await transaction.rollback();
      return { result, revision: revision - 1 };
    }
    for (const [type, companion] of this.companions) {
      const concerning = changes.filter(({ objectType }) => objectType === type);
      if (concerning.length > 0) await companion(context, organizationId, concerning);
    }
    for (const change of changes) demandAccess(caller, change);
    const following = this.following(organizationId, changes);
    if (idempotencyKey) {
      const outcome = { revision, at, result, remembered };
      following.push(await this.idempotencyKeys.remember(caller, idempotencyKey, outcome));
    }
    await transaction.commit([appended(caller, revision, changes), ...following]);
    this.bell.ring(organizationId, topicOf(changes));
    for (const work of afterwards) await work();
    return { result, revision };
  }

  private following(organizationId: OrganizationId, changes: readonly Change[]): Statement[] {
    return this.consequences.flatMap((consequence) => consequence(organizationId, changes) ?? []);
  }
}

/**
 * Whatever a room forgot to ask: nobody changes what lies in a project or an environment that they may not write in,
 * cascades included. Grants are not content; their room decides.
 */
function demandAccess(caller: Caller, { objectType, project, environment }: Change): void {
  if (objectType === 'Grant') return;
  if (project) demandOnScope(caller, 'write', project.id);
  if (environment) (project ? demandIfControlled : demandOnScope)(caller, 'write', environment.id);
}

function topicOf(changes: readonly Change[]): Topic {
  return changes.every(({ objectType }) => CONTENT.includes(objectType)) ? 'configuration' : 'people';
}

function demandWritable(head: Head | undefined): Head {
  if (!head) throw Failure.notFound('Organization');
  if (head.maintenance) throw underMaintenance();
  return head;
}

/** 503, so that programs wait for its end (behaviour.md §1.10). */
function underMaintenance(): Failure {
  return new Failure(
    'unavailable',
    'maintenance',
    'This organization is under maintenance: it can be read, and written again when that is over.',
    'detail',
    [],
    MAINTENANCE_RETRY_SECONDS,
  );
}
