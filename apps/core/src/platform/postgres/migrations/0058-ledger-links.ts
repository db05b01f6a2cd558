import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the link of each changeset, and the last link of each ledger. Changesets from before have none. A core of the previous
 * release stores changesets without a link, and leaves that of the head, so `link_revision` shows that it is an earlier one.
 */
export class LedgerLinks1700000000058 implements MigrationInterface {
  readonly name = 'LedgerLinks1700000000058';
  readonly servesCoresFrom = 16;

  async up(db: QueryRunner): Promise<void> {
    await db.query('alter table organization_head add column link bytea, add column link_revision bigint');
    await db.query('alter table changeset add column link bytea');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('alter table changeset drop column link');
    await db.query('alter table organization_head drop column link, drop column link_revision');
  }
}
