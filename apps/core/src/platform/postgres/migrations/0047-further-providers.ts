import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Allows integrations of further providers. Cores of the previous release fail their runs with `no_cloud_access`. */
export class FurtherProviders1700000000047 implements MigrationInterface {
  readonly name = 'FurtherProviders1700000000047';
  readonly servesCoresFrom = 16;

  async up(db: QueryRunner): Promise<void> {
    await allow(db, ['aws', 'azure_key_vault', 'google_secret_manager', 'github']);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query("delete from integration where provider = 'google_secret_manager'");
    await allow(db, ['aws', 'azure_key_vault', 'github']);
  }
}

const allow = (db: QueryRunner, providers: readonly string[]): Promise<unknown> =>
  db.query(`
    alter table integration drop constraint integration_provider_check,
      add constraint integration_provider_check check (provider in (${providers.map((name) => `'${name}'`).join(', ')}))`);
