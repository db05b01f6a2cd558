import type { MigrationInterface, QueryRunner } from 'typeorm';
import { STAMP as STAMP_BEFORE } from './0012-history-functions.ts';
import { keepByStatement } from './history-by-statement.ts';
import { keepByOwnFunction, versionedTables } from './own-history-function.ts';

/**
 * Records the history of many rows with one statement. A statement may provide revision, instant and ledger id of each
 * row, so that it can write rows of several revisions. Rows without a revision are stamped one by one from the
 * session's settings, as the previous release did, so that both releases can run during an upgrade.
 */
export class HistoryByStatement1700000000016 implements MigrationInterface {
  readonly name = 'HistoryByStatement1700000000016';

  async up(db: QueryRunner): Promise<void> {
    await db.query(REJECT_REMOVAL);
    await db.query(STAMP);
    for (const table of await versionedTables(db)) {
      await db.query(`drop trigger ${table}_stamp on ${table}`);
      await db.query(`drop trigger ${table}_keep on ${table}; drop function strata_keep_${table}`);
      await keepByStatement(db, table);
    }
  }

  async down(db: QueryRunner): Promise<void> {
    for (const table of await versionedTables(db)) {
      await db.query(`
        drop trigger ${table}_stamp on ${table};
        drop trigger ${table}_stamp_update on ${table};
        drop trigger ${table}_keep on ${table};
        drop trigger ${table}_keep_deleted on ${table};
        drop trigger ${table}_guard on ${table};
        drop function strata_keep_${table};
        create trigger ${table}_stamp before insert or update on ${table} for each row execute function strata_stamp()`);
      await keepByOwnFunction(db, table);
    }
    await db.query('drop function strata_refuse_removal');
    await db.query(STAMP_BEFORE);
  }
}

const REJECT_REMOVAL = `
create function strata_refuse_removal() returns trigger language plpgsql as $$
begin
  raise exception 'A row of % can only be removed inside a changeset.', tg_table_name;
end $$`;

/** Does not overwrite a ledger id that the statement sets, even if it writes a row again within one revision. */
const STAMP = `
create or replace function strata_stamp() returns trigger language plpgsql as $$
declare
  this constant bigint := strata_revision();
begin
  if this is null then
    raise exception 'A row of % can only be written inside a changeset.', tg_table_name;
  end if;
  new.revision    := this;
  new.modified_at := current_setting('strata.at')::timestamptz;
  if tg_op = 'INSERT' then
    new.ledger_id  := gen_random_uuid();
    new.created_at := new.modified_at;
  else
    new.created_at := old.created_at;
    if new.ledger_id = old.ledger_id then
      new.ledger_id := gen_random_uuid();
    end if;
  end if;
  return new;
end $$`;
