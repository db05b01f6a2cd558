import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import type { PreparedClient, Statement } from './prepared-client.ts';

const COMMIT: Statement = { text: 'commit', values: [] };

/**
 * One transaction on one connection, in as few journeys to the database as it can be: what need not wait for an answer
 * travels together (see PreparedClient). Whoever opened it must release it.
 */
export class Transaction {
  private readonly sent: Promise<unknown>[] = [];
  private firstFailure: unknown;
  private committing = false;

  private constructor(
    private readonly runner: QueryRunner,
    private readonly connection: PreparedClient,
    private readonly opening: Statement,
  ) {}

  static open(dataSource: DataSource): Promise<Transaction> {
    return Transaction.on(dataSource, 'begin');
  }

  /** All its statements see the same state, and none can write. */
  static openReading(dataSource: DataSource): Promise<Transaction> {
    return Transaction.on(dataSource, 'begin isolation level repeatable read, read only');
  }

  private static async on(dataSource: DataSource, opening: string): Promise<Transaction> {
    const runner = dataSource.createQueryRunner();
    return new Transaction(runner, (await runner.connect()) as PreparedClient, { text: opening, values: [] });
  }

  /**
   * Why nothing more could be done in it: what failed first. Whoever asked something after that was only told that the
   * transaction is aborted.
   */
  get failure(): unknown {
    return this.firstFailure;
  }

  /** COMMIT may be on its way, or done. */
  get isCommitting(): boolean {
    return this.committing;
  }

  /** For the statements between the first and the last. */
  get em(): EntityManager {
    return this.runner.manager;
  }

  /** Begins with these statements; each sees what those before it did and waited for. */
  async begin<Row extends object>(first: Statement, ...more: readonly Statement[]): Promise<[Row[], ...object[][]]> {
    const [, ...answers] = await this.connection.together([this.opening, first, ...more]);
    return answers.map(({ rows }) => rows) as [Row[], ...object[][]];
  }

  /** Sends a statement with the next one. Its failure is the transaction's, whether anybody waits for the answer or not. */
  send<Row extends object>(statement: Statement): Promise<Row[]> {
    const answer = this.connection.defer(statement).then(({ rows }) => rows as Row[]);
    answer.catch((error: unknown) => {
      this.firstFailure ??= error;
    });
    this.sent.push(answer);
    return answer;
  }

  /** Commits after these statements, unless one fails: that failure is thrown, and nothing is committed. */
  async commit(last: readonly Statement[]): Promise<void> {
    this.committing = true;
    await Promise.all([...this.sent, this.connection.together([...last, COMMIT])]);
  }

  /** The whole transaction at once: begins with the first, commits after the last, unless one fails. */
  async atOnce(statements: readonly Statement[]): Promise<object[][]> {
    this.committing = true;
    const [, ...answers] = await this.connection.together([this.opening, ...statements, COMMIT]);
    return answers.map(({ rows }) => rows);
  }

  async rollback(): Promise<void> {
    await this.connection.query('rollback');
  }

  release(): Promise<void> {
    return this.runner.release();
  }
}
