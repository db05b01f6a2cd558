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
      `select columns.table_name as table, columns.column_name as column
         from information_schema.columns columns join information_schema.tables tables using (table_schema, table_name)
        where columns.table_schema = 'public' and tables.table_type = 'BASE TABLE' and columns.data_type = 'text'
          and columns.column_name ~ '(^|_)(name|description|message)$'`,
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
