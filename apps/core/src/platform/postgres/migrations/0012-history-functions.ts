import type { MigrationInterface, QueryRunner } from 'typeorm';
import { keepByOwnFunction, versionedTables } from './own-history-function.ts';

/**
 * Gives every versioned table its own history function, whose statement PostgreSQL plans once per connection; the
 * previous shared function planned it for every row. The stamp trigger now reads the revision once instead of twice.
 */
export class HistoryFunctions1700000000012 implements MigrationInterface {
  readonly name = 'HistoryFunctions1700000000012';

  async up(db: QueryRunner): Promise<void> {
    await db.query(STAMP);
    for (const table of await versionedTables(db)) await keepByOwnFunction(db, table);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(STAMP_OF_BEFORE);
    for (const table of await versionedTables(db)) {
      await db.query(`create or replace trigger ${table}_keep after update or delete on ${table}
        for each row execute function strata_keep()`);
      await db.query(`drop function strata_keep_${table}`);
    }
  }
}

export const STAMP = `
create or replace function strata_stamp() returns trigger language plpgsql as $$
declare
  this constant bigint := strata_revision();
begin
  if this is null then
    raise exception 'A row of % can only be written inside a changeset.', tg_table_name;
  end if;
  new.revision    := this;
  new.modified_at := current_setting('strata.at')::timestamptz;
  new.ledger_id   := gen_random_uuid();
  new.created_at  := case when tg_op = 'INSERT' then new.modified_at else old.created_at end;
  return new;
end $$`;

const STAMP_OF_BEFORE = `
create or replace function strata_stamp() returns trigger language plpgsql as $$
begin
  if strata_revision() is null then
    raise exception 'A row of % can only be written inside a changeset.', tg_table_name;
  end if;
  new.revision    := strata_revision();
  new.modified_at := current_setting('strata.at')::timestamptz;
  new.ledger_id   := gen_random_uuid();
  new.created_at  := case when tg_op = 'INSERT' then new.modified_at else old.created_at end;
  return new;
end $$`;
