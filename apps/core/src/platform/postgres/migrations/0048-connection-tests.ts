import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores the latest test of the connection of each integration. */
export class ConnectionTests1700000000048 implements MigrationInterface {
  readonly name = 'ConnectionTests1700000000048';
  readonly servesCoresFrom = 16;

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      alter table integration
        add column test_started_at timestamptz,
        -- When the latest completed test started. Null if the settings have changed since, or were never tested.
        add column tested_at timestamptz,
        add column test_error text;`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(
      'alter table integration drop column test_started_at, drop column tested_at, drop column test_error',
    );
  }
}
