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
  private constructor(
    private readonly runner: QueryRunner,
    private readonly connection: pg.ClientBase,
  ) {}

  static async open(dataSource: DataSource): Promise<Transaction> {
    const runner = dataSource.createQueryRunner();
    return new Transaction(runner, (await runner.connect()) as pg.ClientBase);
  }

  /** For the statements between the first and the last. */
  get em(): EntityManager {
    return this.runner.manager;
  }

  /** Begins with this statement. */
  async begin<Row extends object>(first: Statement): Promise<Row[]> {
    const [, { rows }] = await Promise.all([this.connection.query('begin'), this.send<Row>(first)]);
    return rows;
  }

  /** Commits after these statements. PostgreSQL rolls back instead when one of them failed, and that failure is thrown. */
  async commit(last: readonly Statement[]): Promise<void> {
    await Promise.all([...last.map((statement) => this.send(statement)), this.connection.query('commit')]);
  }

  async rollback(): Promise<void> {
    await this.connection.query('rollback');
  }

  release(): Promise<void> {
    return this.runner.release();
  }

  private send<Row extends object>({ text, values }: Statement): Promise<pg.QueryResult<Row & pg.QueryResultRow>> {
    return this.connection.query(text, [...values]);
  }
}
