import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds indexes to look up the references of a single text, now and at a past revision. */
export class Walks1700000000011 implements MigrationInterface {
  readonly name = 'Walks1700000000011';

  async up(db: QueryRunner): Promise<void> {
    await db.query('create index reference_history_value on reference_history (organization_id, value_id)');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('drop index reference_history_value');
  }
}
