import type pg from 'pg';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * One transaction on one connection, in as few journeys to the database as it can be: what need not wait for an answer
 * travels together (see PreparedClient). Whoever opened it must release it.
 */
export class Transaction {
  private readonly sent: Promise<unknown>[] = [];

  private constructor(
    private readonly runner: QueryRunner,
    private readonly connection: pg.ClientBase,
    private readonly opening: string,
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
    return new Transaction(runner, (await runner.connect()) as pg.ClientBase, opening);
  }

  /** For the statements between the first and the last. */
  get em(): EntityManager {
    return this.runner.manager;
  }

  /** Begins with these statements; each sees what those before it did and waited for. */
  async begin<Row extends object>(first: Statement, ...more: readonly Statement[]): Promise<[Row[], ...object[][]]> {
    const [, ...answers] = await Promise.all([
      this.connection.query(this.opening),
      this.run<Row>(first),
      ...more.map((statement) => this.run(statement)),
    ]);
    return answers;
  }

  /** Sends a statement at once. Its failure is the transaction's, whether anybody waits for the answer or not. */
  send<Row extends object>(statement: Statement): Promise<Row[]> {
    const answer = this.run<Row>(statement);
    this.sent.push(answer);
    answer.catch(() => undefined);
    return answer;
  }

  /** Commits after these statements. PostgreSQL rolls back instead when one failed, and the first failure is thrown. */
  async commit(last: readonly Statement[]): Promise<void> {
    const answers = last.map((statement) => this.run(statement));
    await Promise.all([...this.sent, ...answers, this.connection.query('commit')]);
  }

  async rollback(): Promise<void> {
    await this.connection.query('rollback');
  }

  release(): Promise<void> {
    return this.runner.release();
  }

  private async run<Row extends object>({ text, values }: Statement): Promise<Row[]> {
    return (await this.connection.query<Row & pg.QueryResultRow>(text, [...values])).rows;
  }
}
