import type pg from 'pg';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { isCommitOutcomeUnknown } from './constraints.ts';
import type { Statement } from './prepared-client.ts';

/**
 * A connection with one transaction on it, which begins with the first statement. Statements that are sent in one call
 * travel together and are carried out in their order; each sees what those before it did and waited for. Whoever opened it
 * must release it.
 */
export class Transaction {
  private isOpen = false;
  private commitOutcomeUnknown = false;

  private constructor(
    private readonly runner: QueryRunner,
    private readonly connection: pg.PoolClient,
    private readonly beginning: Statement,
  ) {}

  static open(dataSource: DataSource): Promise<Transaction> {
    return Transaction.on(dataSource, 'begin');
  }

  /** All its statements see the same state, and none can write. */
  static openReading(dataSource: DataSource): Promise<Transaction> {
    return Transaction.on(dataSource, 'begin isolation level repeatable read, read only');
  }

  private static async on(dataSource: DataSource, text: string): Promise<Transaction> {
    const runner = dataSource.createQueryRunner();
    return new Transaction(runner, await runner.connect(), { text, values: [] });
  }

  /** COMMIT was sent, and whether it is done cannot be known. */
  get isCommitOutcomeUnknown(): boolean {
    return this.commitOutcomeUnknown;
  }

  /** For everything after the first statement. */
  get em(): EntityManager {
    return this.runner.manager;
  }

  /**
   * The rows of each statement. The first failure is thrown; after it nothing is carried out until the transaction, or
   * the savepoint, is rolled back.
   */
  async send(...statements: readonly Statement[]): Promise<object[][]> {
    const opening = this.isOpen ? [] : [this.beginning];
    this.isOpen = true;
    const answers = [...opening, ...statements].map(({ text, values }) => this.connection.query(text, [...values]));
    return (await Promise.all(answers)).slice(opening.length).map(({ rows }) => rows);
  }

  /** For who sends nothing before `em` is used. */
  async begin(): Promise<void> {
    await this.send();
  }

  /**
   * Carries out the statements and commits, in one journey. When one of them fails PostgreSQL rolls everything back instead, and
   * the failure is thrown.
   */
  async commit(...statements: readonly Statement[]): Promise<void> {
    const sent = this.send(...statements);
    const ended = this.connection.query('commit');
    this.isOpen = false;
    try {
      await Promise.allSettled([sent, ended]);
      await sent;
      const { command } = await ended;
      // PostgreSQL does not call it an error to be asked to commit what it can only roll back
      if (command !== 'COMMIT') throw new Error('A transaction in which a statement had failed was committed.');
    } catch (error) {
      // what the server did answer is definite: then nothing is stored
      this.commitOutcomeUnknown = isCommitOutcomeUnknown(error);
      throw error;
    }
  }

  /** Undoes everything; a connection that is gone has done so already. */
  async rollback(): Promise<void> {
    if (!this.isOpen) return;
    this.isOpen = false;
    await this.connection.query('rollback').catch(() => undefined);
  }

  release(): Promise<void> {
    return this.runner.release();
  }
}
