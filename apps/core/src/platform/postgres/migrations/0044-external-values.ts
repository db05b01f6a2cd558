import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Stores where the text of an external value comes from: {fqn, filter, ledger_id, error}. The source only applies to the
 * version of the value in `ledger_id`. So a value that an older core overwrites is not external any more.
 */
export class ExternalValues1700000000044 implements MigrationInterface {
  readonly name = 'ExternalValues1700000000044';
  readonly servesCoresFrom = 16;

  async up(db: QueryRunner): Promise<void> {
    for (const table of ['value', 'value_history']) await db.query(`alter table ${table} add source jsonb`);
    await db.query('create index value_external on value (organization_id) where source is not null');
    await db.query(`
      alter table exchange
        -- when the external values of a mapped pull are read next, and when all of them were last read
        add column contents_due_at timestamptz,
        add column contents_read_at timestamptz`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('alter table exchange drop column contents_due_at, drop column contents_read_at');
    await db.query('drop index value_external');
    for (const table of ['value', 'value_history']) await db.query(`alter table ${table} drop source`);
  }
}
