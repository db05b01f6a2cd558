import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Stores the keys that earlier releases derive from the root key, so that a new root key invalidates nothing, and the root key
 * that encrypts each stored key. Cores of the release before derive the same keys until the root key is replaced.
 */
export class ServiceKeys1700000000062 implements MigrationInterface {
  readonly name = 'ServiceKeys1700000000062';
  readonly servesCoresFrom = 16;

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      create table service_key (
        purpose     text primary key,
        wrapped_key bytea not null,
        root_key_id bytea not null,
        created_at  timestamptz not null default now()
      );
      grant select on service_key to strata_app;
      alter table organization_key add root_key_id bytea;`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('alter table organization_key drop root_key_id; drop table service_key');
  }
}
