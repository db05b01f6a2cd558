import type { QueryRunner } from 'typeorm';

/** Returns the names of all versioned tables. */
export async function versionedTables(db: QueryRunner): Promise<readonly string[]> {
  const tables: { table: string }[] = await db.query(`
    select c.relname as table from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where c.relnamespace = 'public'::regnamespace and t.tgname = c.relname || '_keep' order by 1`);
  return tables.map(({ table }) => table);
}

/**
 * Creates the history function of a table that `versioned` has created. A row that was created and changed within one
 * revision was never visible, so it leaves no history. If a migration adds a column to both tables later, the function
 * records it without a change, because PostgreSQL plans the statement again.
 */
export async function keepByOwnFunction(db: QueryRunner, table: string): Promise<void> {
  await db.query(`
    create function strata_keep_${table}() returns trigger
      language plpgsql security definer set search_path = public, pg_temp as $$
    declare
      this constant bigint := strata_revision();
    begin
      if this is null then
        raise exception 'A row of % can only be removed inside a changeset.', tg_table_name;
      end if;
      if old.revision < this then
        insert into ${table}_history values (this, old.*);
      end if;
      return null;
    end $$`);
  // the function writes history with its owner's rights, so no other role may attach it to a table of its own
  await db.query(`revoke execute on function strata_keep_${table} from public`);
  await db.query(`create or replace trigger ${table}_keep after update or delete on ${table}
    for each row execute function strata_keep_${table}()`);
}
