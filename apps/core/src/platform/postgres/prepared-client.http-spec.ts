import { createEmptyDatabase, type TestDatabase } from '@strata/testkit';
import { PreparedClient } from './prepared-client.ts';

let database: TestDatabase;
let client: PreparedClient;

beforeAll(async () => {
  database = await createEmptyDatabase();
  client = new PreparedClient({ connectionString: database.url });
  await client.connect();
  await client.query('create table note (text text check (text <> $$wrong$$))');
});
afterAll(async () => {
  await client.end();
  await database.drop();
});
beforeEach(() => client.query('delete from note'));

const note = (text: string) => client.query<{ text: string }>('insert into note values ($1) returning text', [text]);

async function notes(): Promise<string[]> {
  const { rows } = await client.query<{ text: string }>('select text from note order by text');
  return rows.map(({ text }) => text);
}

describe('statements that are sent without waiting for each other', () => {
  it('get their results in order, and are prepared once', async () => {
    for (let round = 1; round <= 2; round += 1) {
      const responses = await Promise.all([client.query('begin'), note('a'), note('b'), client.query('commit')]);
      expect(responses.map(({ rows }) => rows)).toEqual([[], [{ text: 'a' }], [{ text: 'b' }], []]);
    }
    expect(await notes()).toEqual(['a', 'a', 'b', 'b']);
    const { rows } = await client.query('select from pg_prepared_statements where statement like $1', [
      'insert into note%',
    ]);
    expect(rows).toHaveLength(1);
  });

  it('store nothing if one of them fails, even if others follow it', async () => {
    const failing = [client.query('begin'), note('right'), note('wrong'), note('after')];
    await expect(Promise.all(failing)).rejects.toMatchObject({ code: '23514' });
    await Promise.allSettled(failing);
    await client.query('rollback');
    expect(await notes()).toEqual([]);
  });

  it('leave the connection usable if the SQL of one is invalid', async () => {
    for (let round = 1; round <= 2; round += 1) {
      await expect(client.query('insert into nowhere values ($1)', ['x'])).rejects.toMatchObject({ code: '42P01' });
    }
    await note('after');
    expect(await notes()).toEqual(['after']);
  });
});
