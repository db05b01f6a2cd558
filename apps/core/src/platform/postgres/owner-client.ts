import pg from 'pg';

const CONNECT_MS_MAX = 10_000;

/** Connects to a database as the owner of the schema, for the commands of operators. */
export async function withOwner<Result>(
  databaseUrl: string,
  { statementMsMax = 0 }: { readonly statementMsMax?: number },
  run: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_MS_MAX,
    statement_timeout: statementMsMax,
    options: '-c timezone=UTC',
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await run(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
