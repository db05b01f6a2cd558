import type { QueryRunner } from 'typeorm';

/**
 * Creates a versioned table with its history, triggers and grants. `columns` is the SQL of the columns and constraints
 * that are specific to the table. The function adds the key, the revision, the ledger id and the two timestamps.
 */
export async function versionedTable(db: QueryRunner, table: string, columns: string): Promise<void> {
  await db.query(`
    create table ${table} (
      organization_id uuid not null,
      id              uuid not null,
      ${columns},
      revision        bigint not null,
      ledger_id       uuid not null,
      created_at      timestamptz not null,
      modified_at     timestamptz not null,
      primary key (organization_id, id)
    );
    -- revision_to is the first column, so that a column added later is the last one of both tables
    create table ${table}_history (revision_to bigint not null, like ${table});
    alter table ${table}_history add primary key (organization_id, id, revision);
    grant select, insert, update, delete on ${table} to strata_app;
    grant select on ${table}_history to strata_app`);
  await keepByStatement(db, table);
}

export async function dropVersionedTable(db: QueryRunner, table: string): Promise<void> {
  await db.query(`drop table ${table}_history, ${table}; drop function strata_keep_${table}`);
}

/**
 * Creates the triggers of a table with `organization_id`, `id` and the columns of a versioned row, and of its
 * `_history`. Rows without a revision are stamped from the session. Every update and deletion records the previous rows
 * with one statement, and is rejected if it has not stamped a row. A row that was created and changed within one
 * revision was never visible, so it leaves no history.
 *
 * PostgreSQL plans this statement once per connection, perhaps for a single row, and the plan must suit thousands of
 * rows. Therefore nested loops are disabled.
 */
export async function keepByStatement(db: QueryRunner, table: string): Promise<void> {
  await db.query(`
create trigger ${table}_stamp before insert on ${table}
  for each row when (new.revision is null) execute function strata_stamp();
create trigger ${table}_stamp_update before update on ${table}
  for each row when (new.revision = old.revision) execute function strata_stamp();
create trigger ${table}_guard before delete on ${table}
  for each row when (strata_revision() is null) execute function strata_refuse_removal();

create function strata_keep_${table}() returns trigger
  language plpgsql security definer set search_path = public, pg_temp set enable_nestloop = off as $$
declare
  kept bigint;
begin
  if tg_op = 'UPDATE' then
    insert into ${table}_history
    select n.revision, o.* from before o join after n on n.organization_id = o.organization_id and n.id = o.id
     where n.revision > o.revision and n.ledger_id <> o.ledger_id;
    get diagnostics kept = row_count;
    -- some rows were written again within their revision, or were not stamped
    if kept < (select count(*) from before) and exists (
      select from before o left join after n on n.organization_id = o.organization_id and n.id = o.id
       where n.id is null or n.revision < o.revision or n.ledger_id = o.ledger_id) then
      raise exception 'A row of % was changed without a new revision and ledger id.', tg_table_name;
    end if;
  else
    -- revision 0 means that an organization is removed for good, with its history
    if strata_revision() > 0 and exists (select from before o where o.revision > strata_revision()) then
      raise exception 'A row of % was removed at a revision before its own.', tg_table_name;
    end if;
    insert into ${table}_history
    select strata_revision(), o.* from before o where o.revision < strata_revision();
  end if;
  return null;
end $$;
-- the function writes history with its owner's rights, so no other role may attach it to a table of its own
revoke execute on function strata_keep_${table} from public;
create trigger ${table}_keep after update on ${table}
  referencing old table as before new table as after for each statement execute function strata_keep_${table}();
create trigger ${table}_keep_deleted after delete on ${table}
  referencing old table as before for each statement execute function strata_keep_${table}()`);
}
