import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores when a user signed out everywhere. Tokens that an external issuer created before then are invalid. */
export class TokensValidFrom1700000000020 implements MigrationInterface {
  readonly name = 'TokensValidFrom1700000000020';

  async up(db: QueryRunner): Promise<void> {
    await db.query('alter table person add column tokens_valid_from timestamptz');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('alter table person drop column tokens_valid_from');
  }
}
