import type pg from 'pg';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { isCommitOutcomeUnknown, outcomeUnknownError } from './constraints.ts';
import type { Statement } from './prepared-client.ts';

/**
 * A connection with one transaction, which begins with the first statement. Statements of one call are sent together
 * and run in order; each sees the writes of the previous ones and the rows they locked.
 */
export class Transaction {
  private isOpen = false;
  private isOutcomeUnknown = false;

  private constructor(
    private readonly runner: QueryRunner,
    private readonly connection: pg.PoolClient,
    private readonly beginStatement: Statement,
  ) {}

  /**
   * Runs `work` in a transaction, and commits it if `work` has not. If something fails, rolls back and throws the
   * failure, or `outcome_unknown` if COMMIT was sent and it is unknown whether it succeeded. Changes of configuration are
   * commands of `UnitOfWork`; this is for everything else.
   */
  static run<T>(dataSource: DataSource, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return Transaction.on(dataSource, 'begin', work);
  }

  /** Runs `work` in a read-only transaction in which all statements see the same snapshot. */
  static read<T>(dataSource: DataSource, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return Transaction.on(dataSource, 'begin isolation level repeatable read, read only', work);
  }

  private static async on<T>(
    dataSource: DataSource,
    text: string,
    work: (transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    const runner = dataSource.createQueryRunner();
    const transaction = new Transaction(runner, await runner.connect(), { text, values: [] });
    try {
      const result = await work(transaction);
      if (transaction.isOpen) await transaction.commit();
      return result;
    } catch (error) {
      await transaction.rollback();
      throw transaction.isOutcomeUnknown ? outcomeUnknownError() : error;
    } finally {
      await runner.release();
    }
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
    const opening = this.isOpen ? [] : [this.beginStatement];
    this.isOpen = true;
    const responses = [...opening, ...statements].map(({ text, values }) => this.connection.query(text, [...values]));
    return (await Promise.all(responses)).slice(opening.length).map(({ rows }) => rows);
  }

  /** Begins the transaction for code that uses `em` without sending a statement first. */
  async begin(): Promise<void> {
    await this.send();
  }

  /**
   * Runs the statements and commits, in one round trip. If a statement fails, PostgreSQL rolls everything back, and the
   * failure is thrown. `hint` is sent in the same packet and runs after the commit. Its response is ignored, and it may be lost.
   */
  async commit(statements: readonly Statement[] = [], hint: Statement | null = null): Promise<void> {
    const sentStatements = this.send(...statements);
    const commit = this.connection.query('commit');
    this.isOpen = false;
    this.sendHint(hint);
    await this.committed(async () => {
      await Promise.allSettled([sentStatements, commit]);
      await sentStatements;
      const { command } = await commit;
      // PostgreSQL does not report an error for COMMIT in a failed transaction, but rolls back
      if (command !== 'COMMIT') throw new Error('A transaction in which a statement had failed was committed.');
    });
  }

  /** Runs one statement that commits by itself, before a transaction begins. Failures and `hint` are as for `commit`. */
  async commitAlone({ text, values }: Statement, hint: Statement): Promise<object[]> {
    const sentQuery = this.connection.query(text, [...values]);
    this.sendHint(hint);
    return this.committed(async () => (await sentQuery).rows);
  }

  private async committed<T>(response: () => Promise<T>): Promise<T> {
    try {
      return await response();
    } catch (error) {
      // an error response is definite: nothing is stored
      this.isOutcomeUnknown = isCommitOutcomeUnknown(error);
      throw error;
    }
  }

  private sendHint(hint: Statement | null): void {
    if (hint) this.connection.query(hint.text, [...hint.values]).catch(() => undefined);
  }

  /** Rolls back. If the connection is lost, the server has already rolled back. */
  async rollback(): Promise<void> {
    if (!this.isOpen) return;
    this.isOpen = false;
    await this.connection.query('rollback').catch(() => undefined);
  }
}
