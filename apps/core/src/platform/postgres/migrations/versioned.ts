import type { QueryRunner } from 'typeorm';

/**
 * Makes a table versioned as the first migrations did; a new table uses `versionedTable` of history-by-statement.ts.
 * Triggers set revision, ledger_id and modified_at, and move the old row into `<table>_history` with the half-open
 * range [revision, revision_to). The key of the table must be organization_id and id.
 */
export async function versioned(db: QueryRunner, table: string): Promise<void> {
  await db.query(`
    alter table ${table}
      add column revision bigint not null,
      add column ledger_id uuid not null,
      add column created_at timestamptz not null,
      add column modified_at timestamptz not null`);
  // revision_to is the first column, so that a column added later is the last one of both tables
  await db.query(`create table ${table}_history (revision_to bigint not null, like ${table})`);
  await db.query(`alter table ${table}_history add primary key (organization_id, id, revision)`);
  await db.query(`create trigger ${table}_stamp before insert or update on ${table}
    for each row execute function strata_stamp()`);
  await db.query(`create trigger ${table}_keep after update or delete on ${table}
    for each row execute function strata_keep()`);
  await db.query(`grant select, insert, update, delete on ${table} to strata_app`);
  await db.query(`grant select on ${table}_history to strata_app`);
}
