interface Queryable {
  query<Row extends object>(sql: string): Promise<{ readonly rows: Row[] }>;
}

/** Returns the names of the server's settings with which a crash can lose acknowledged writes. */
export async function readUnsafeSettings(client: Queryable): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select name from pg_settings
      where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off' order by name`,
  );
  return rows.map(({ name }) => name);
}

/** Returns the error for a database whose texts are not Unicode. */
export const describeWrongEncoding = (encoding: string): string =>
  `The database has the encoding ${encoding}. Create it with the encoding UTF8.`;
