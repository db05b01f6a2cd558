import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** Returns a name that no object has yet. */
export const placeholderName = (): string => `placeholder-${randomUUID()}`;

/**
 * Replaces a placeholder name everywhere in the database, including the ledger, with a name that the API rejects today but an earlier
 * release could have stored. Write something afterwards, so that the core reads the rows again.
 */
export async function storeName(databaseUrl: string, placeholder: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('set session_replication_role = replica');
    const { rows } = await client.query<{ table: string; column: string }>(
      `select c.table_name as table, c.column_name as column
         from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
        where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type = 'text'
          and c.column_name ~ '(^|_)(name|description|message)$'`,
    );
    for (const { table, column } of rows) {
      await client.query(`update ${table} set ${column} = replace(${column}, $1, $2) where strpos(${column}, $1) > 0`, [
        placeholder,
        name,
      ]);
    }
  } finally {
    await client.end();
  }
}
