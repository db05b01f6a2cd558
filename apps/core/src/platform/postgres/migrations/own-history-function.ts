import type { QueryRunner } from 'typeorm';

/** All versioned tables, by name. */
export async function tablesKept(db: QueryRunner): Promise<readonly string[]> {
  const found: { table: string }[] = await db.query(`
    select c.relname as table from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where c.relnamespace = 'public'::regnamespace and t.tgname = c.relname || '_keep' order by 1`);
  return found.map(({ table }) => table);
}

/**
 * For a table that `versioned` has made. A row that was made and changed within one revision was never visible to anybody,
 * so it leaves no history. Columns that are added to both tables later are kept without another word: PostgreSQL plans the
 * statement again when its tables change.
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
  // it writes history with its owner's rights, so nobody else may hang it on a table of their own
  await db.query(`revoke execute on function strata_keep_${table} from public`);
  await db.query(`create or replace trigger ${table}_keep after update or delete on ${table}
    for each row execute function strata_keep_${table}()`);
}
