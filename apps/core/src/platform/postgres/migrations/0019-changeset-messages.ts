import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the message and the external reference of a changeset. A core of the previous release leaves them empty. */
export class ChangesetMessages1700000000019 implements MigrationInterface {
  readonly name = 'ChangesetMessages1700000000019';

  async up(db: QueryRunner): Promise<void> {
    await db.query('alter table changeset add column message text, add column external_ref text');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('alter table changeset drop column message, drop column external_ref');
  }
}
