import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Why a changeset was made, and what it belongs to elsewhere. A core of the version before leaves them out. */
export class ChangesetMessages1700000000019 implements MigrationInterface {
  readonly name = 'ChangesetMessages1700000000019';

  async up(db: QueryRunner): Promise<void> {
    await db.query('alter table changeset add column message text, add column external_ref text');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('alter table changeset drop column message, drop column external_ref');
  }
}
