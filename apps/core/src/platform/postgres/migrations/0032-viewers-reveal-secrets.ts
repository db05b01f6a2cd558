import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Stores for each organization whether new members with the role VIEWER may reveal secrets. They may in existing
 * organizations and in those that the previous release creates during an upgrade.
 */
export class ViewersRevealSecrets1700000000032 implements MigrationInterface {
  readonly name = 'ViewersRevealSecrets1700000000032';
  readonly servesCoresFrom = 16;

  async up(db: QueryRunner): Promise<void> {
    await db.query('alter table organization add viewers_reveal_secrets boolean not null default true');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('alter table organization drop viewers_reveal_secrets');
  }
}
