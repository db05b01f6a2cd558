import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the numbered data keys of organizations. Texts name the key that encrypts them, so a new key replaces an earlier one
 * for later texts only. `organization_key` keeps the key of texts that name none.
 */
export class DataKeys1700000000063 implements MigrationInterface {
  readonly name = 'DataKeys1700000000063';
  readonly servesCoresFrom = 16;

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      create table data_key (
        organization_id uuid not null references organization on delete cascade,
        number          integer not null check (number between 1 and 65535),
        wrapped_key     bytea not null,
        root_key_id     bytea not null,
        created_at      timestamptz not null default now(),
        -- by then, all cores have loaded the key
        usable_at       timestamptz not null,
        primary key (organization_id, number)
      );
      grant select, insert on data_key to strata_app;`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('drop table data_key');
  }
}
