import pg from 'pg';

/** Queries the database directly, as its owner. */
export async function query<Row extends object>(
  { database }: { readonly database: { readonly url: string } },
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}
