import { createTestDatabase } from '@strata/testkit';
import pg from 'pg';
import { INDEXES } from './indexes.ts';

test('the list of indexes is that of a migrated database', async () => {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string; definition: string }>(
      `select relname::text as name, replace(pg_get_indexdef(indexrelid), ' ON public.', ' ON ') as definition
         from pg_index join pg_class on pg_class.oid = indexrelid
        where relnamespace = 'public'::regnamespace and not exists (select from pg_constraint where conindid = indexrelid)`,
    );
    expect(INDEXES).toEqual(Object.fromEntries(rows.map(({ name, definition }) => [name, definition])));
  } finally {
    await client.end();
    await database.drop();
  }
});

test.each(Object.entries(INDEXES).filter(([name]) => name.includes('_history_')))(
  '%s contains the end of each version, so that a read of the past skips those that ended before',
  (_, definition) => expect(definition).toMatch(/, revision_to\)/),
);
