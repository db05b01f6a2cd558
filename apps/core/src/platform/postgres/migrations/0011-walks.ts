import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What texts referred to is looked up text by text, in the past as in the present. */
export class Walks1700000000011 implements MigrationInterface {
  readonly name = 'Walks1700000000011';

  async up(db: QueryRunner): Promise<void> {
    await db.query('create index reference_history_value on reference_history (organization_id, value_id)');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('drop index reference_history_value');
  }
}
