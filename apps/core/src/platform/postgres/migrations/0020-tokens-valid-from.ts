import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When somebody signed out everywhere: tokens that an external issuer made until then speak for nobody. */
export class TokensValidFrom1700000000020 implements MigrationInterface {
  readonly name = 'TokensValidFrom1700000000020';

  async up(db: QueryRunner): Promise<void> {
    await db.query('alter table person add column tokens_valid_from timestamptz');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('alter table person drop column tokens_valid_from');
  }
}
