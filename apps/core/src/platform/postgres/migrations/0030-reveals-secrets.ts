import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['membership', 'invitation'];

/**
 * Stores for each membership whether responses may show secrets in clear, and for each invitation whether the new
 * membership has the ability. Existing members keep it.
 */
export class RevealsSecrets1700000000030 implements MigrationInterface {
  readonly name = 'RevealsSecrets1700000000030';
  readonly servesCoresFrom = 16;

  async up(db: QueryRunner): Promise<void> {
    for (const table of TABLES)
      await db.query(`alter table ${table} add reveals_secrets boolean not null default true`);
  }

  async down(db: QueryRunner): Promise<void> {
    for (const table of TABLES) await db.query(`alter table ${table} drop reveals_secrets`);
  }
}
