import type { MigrationInterface, QueryRunner } from 'typeorm';
import { keepByOwnFunction, tablesKept } from './own-history-function.ts';

/**
 * A statement that writes many rows keeps their history by one statement, and may bring revision, instant and ledger id of
 * each row along, so that rows of several revisions can be written together. Rows that bring no revision are stamped from
 * the session's settings, one by one, as the core before did: both can run side by side during an upgrade.
 */
export class HistoryByStatement1700000000016 implements MigrationInterface {
  readonly name = 'HistoryByStatement1700000000016';

  async up(db: QueryRunner): Promise<void> {
    await db.query(REFUSE_REMOVAL);
    for (const table of await tablesKept(db)) {
      await db.query(stampWithoutRevision(table));
      await db.query(`drop trigger ${table}_keep on ${table}; drop function strata_keep_${table}`);
      await db.query(keepByStatement(table));
    }
  }

  async down(db: QueryRunner): Promise<void> {
    for (const table of await tablesKept(db)) {
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
  }
}

const REFUSE_REMOVAL = `
create function strata_refuse_removal() returns trigger language plpgsql as $$
begin
  raise exception 'A row of % can only be removed inside a changeset.', tg_table_name;
end $$`;

const stampWithoutRevision = (table: string) => `
drop trigger ${table}_stamp on ${table};
create trigger ${table}_stamp before insert on ${table}
  for each row when (new.revision is null) execute function strata_stamp();
create trigger ${table}_stamp_update before update on ${table}
  for each row when (new.revision = old.revision) execute function strata_stamp()`;

/**
 * A row that was made and changed within one revision was never visible to anybody, so it leaves no history. An update that
 * forgot to stamp a row is refused, whatever statement it is part of.
 */
const keepByStatement = (table: string) => `
create function strata_keep_${table}() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' then
    insert into ${table}_history
    select n.revision, o.* from before o join after n on n.organization_id = o.organization_id and n.id = o.id
     where n.revision > o.revision;
    if exists (
      select from before o left join after n on n.organization_id = o.organization_id and n.id = o.id
       where n.id is null or n.revision < o.revision or n.ledger_id = o.ledger_id) then
      raise exception 'A row of % was changed without a new revision and ledger id.', tg_table_name;
    end if;
  else
    insert into ${table}_history
    select strata_revision(), o.* from before o where o.revision < strata_revision();
  end if;
  return null;
end $$;
-- it writes history with its owner's rights, so nobody else may hang it on a table of their own
revoke execute on function strata_keep_${table} from public;
create trigger ${table}_keep after update on ${table}
  referencing old table as before new table as after for each statement execute function strata_keep_${table}();
create trigger ${table}_keep_deleted after delete on ${table}
  referencing old table as before for each statement execute function strata_keep_${table}();
create trigger ${table}_guard before delete on ${table}
  for each row when (strata_revision() is null) execute function strata_refuse_removal()`;
