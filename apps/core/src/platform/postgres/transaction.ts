import type pg from 'pg';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { isCommitOutcomeUnknown } from './constraints.ts';
import type { Statement } from './prepared-client.ts';

/**
 * A connection with one transaction, which begins with the first statement. Statements of one call are sent together
 * and run in order; each sees the writes of the previous ones and the rows they locked. The code that opened it must
 * release it.
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

  /** Opens a read-only transaction in which all statements see the same snapshot. */
  static openReading(dataSource: DataSource): Promise<Transaction> {
    return Transaction.on(dataSource, 'begin isolation level repeatable read, read only');
  }

  private static async on(dataSource: DataSource, text: string): Promise<Transaction> {
    const runner = dataSource.createQueryRunner();
    return new Transaction(runner, await runner.connect(), { text, values: [] });
  }

  /** True if COMMIT was sent and it is unknown whether it succeeded. */
  get isCommitOutcomeUnknown(): boolean {
    return this.commitOutcomeUnknown;
  }

  /** An entity manager for statements after the first one. */
  get em(): EntityManager {
    return this.runner.manager;
  }

  /**
   * Returns the rows of each statement, or throws the first failure. After a failure, PostgreSQL runs no statement
   * until the transaction or the savepoint is rolled back.
   */
  async send(...statements: readonly Statement[]): Promise<object[][]> {
    const opening = this.isOpen ? [] : [this.beginning];
    this.isOpen = true;
    const answers = [...opening, ...statements].map(({ text, values }) => this.connection.query(text, [...values]));
    return (await Promise.all(answers)).slice(opening.length).map(({ rows }) => rows);
  }

  /** Begins the transaction for code that uses `em` without sending a statement first. */
  async begin(): Promise<void> {
    await this.send();
  }

  /**
   * Runs the statements and commits, in one round trip. If a statement fails, PostgreSQL rolls everything back, and the
   * failure is thrown.
   */
  async commit(...statements: readonly Statement[]): Promise<void> {
    const sent = this.send(...statements);
    const ended = this.connection.query('commit');
    this.isOpen = false;
    try {
      await Promise.allSettled([sent, ended]);
      await sent;
      const { command } = await ended;
      // PostgreSQL does not report an error for COMMIT in a failed transaction, but rolls back
      if (command !== 'COMMIT') throw new Error('A transaction in which a statement had failed was committed.');
    } catch (error) {
      // an error response is definite: nothing is stored
      this.commitOutcomeUnknown = isCommitOutcomeUnknown(error);
      throw error;
    }
  }

  /** Rolls back. If the connection is lost, the server has already rolled back. */
  async rollback(): Promise<void> {
    if (!this.isOpen) return;
    this.isOpen = false;
    await this.connection.query('rollback').catch(() => undefined);
  }

  release(): Promise<void> {
    return this.runner.release();
  }
}
