import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The membership that started a run. A run of a pull writes with the rights that it has by then. */
export class StartersOfTasks1700000000051 implements MigrationInterface {
  readonly name = 'StartersOfTasks1700000000051';
  readonly servesCoresFrom = 16;

  async up(db: QueryRunner): Promise<void> {
    // No foreign key: a run whose starter left the organization must fail, not disappear.
    await db.query('alter table task add column started_by uuid');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('alter table task drop column started_by');
  }
}
