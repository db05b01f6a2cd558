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

const note = (text: string) => ({ text: 'insert into note values ($1) returning text', values: [text] });
const BEGIN = { text: 'begin', values: [] };
const COMMIT = { text: 'commit', values: [] };

async function notes(): Promise<string[]> {
  const { rows } = await client.query<{ text: string }>('select text from note order by text');
  return rows.map(({ text }) => text);
}

describe('statements that are sent together', () => {
  it('are each answered, and prepared once', async () => {
    for (let round = 1; round <= 2; round += 1) {
      const answers = await client.together([BEGIN, note('a'), note('b'), COMMIT]);
      expect(answers.map(({ rows }) => rows)).toEqual([[], [{ text: 'a' }], [{ text: 'b' }], []]);
    }

    expect(await notes()).toEqual(['a', 'a', 'b', 'b']);
    const { rows } = await client.query('select statement from pg_prepared_statements where statement = $1', [
      note('').text,
    ]);
    expect(rows).toHaveLength(1);
  });

  it('have rows that look the same whether or not PostgreSQL described them again', async () => {
    const various = {
      text: `select text, length(text)::int8 as length, null as nothing, timestamptz '2026-01-01 10:00+00' as at from note where text > $1`,
      values: [''],
    };
    await client.query('insert into note values ($1)', ['a']);
    const rounds = [];
    for (let round = 1; round <= 3; round += 1) rounds.push(await client.together([various, note('a'), COMMIT]));

    const rows = rounds.map(([first]) => first?.rows[0]);
    expect(rows[0]).toMatchObject({ text: 'a', nothing: null });
    expect(Object.keys(rows[0])).toEqual(['text', 'length', 'nothing', 'at']);
    expect(rows[1]).toEqual(rows[0]);
    expect(rows[2]).toEqual(rows[0]);
  });

  it('are refused when their rows have come to look otherwise, rather than misread', async () => {
    const all = { text: 'select * from note where text > $1', values: [''] };
    await client.query('insert into note values ($1)', ['a']);
    for (let round = 1; round <= 2; round += 1) {
      expect(await client.together([all])).toMatchObject([{ rows: [{ text: 'a' }] }]);
    }
    await client.query('alter table note add column other text');
    try {
      await expect(client.together([all])).rejects.toMatchObject({ code: '0A000' });
    } finally {
      await client.query('alter table note drop column other');
    }
  });

  it('are not run after one that failed, COMMIT included, and can be sent again', async () => {
    const last = { text: 'select text as never_run from note where text <> $1', values: [''] };
    await expect(client.together([BEGIN, note('right'), note('wrong'), last, COMMIT])).rejects.toMatchObject({
      code: '23514',
    });
    await client.query('rollback');
    expect(await notes()).toEqual([]);

    await client.together([BEGIN, note('right'), last, COMMIT]);
    expect(await notes()).toEqual(['right']);
  });

  it('fail together when the very text of one is wrong, and leave the connection as it was', async () => {
    const unknown = { text: 'insert into nowhere values ($1)', values: ['x'] };
    for (let round = 1; round <= 2; round += 1) {
      await expect(client.together([BEGIN, unknown, note('after'), COMMIT])).rejects.toMatchObject({ code: '42P01' });
      await client.query('rollback');
    }
    expect(await notes()).toEqual([]);
  });
});

describe('a value that cannot be written down', () => {
  const unwritable = {
    text: 'insert into note values ($1)',
    values: [
      {
        toJSON() {
          throw new Error('Not to be written.');
        },
      },
    ],
  };

  it('is refused before anything is sent, COMMIT included', async () => {
    await expect(client.together([BEGIN, note('before'), unwritable, COMMIT])).rejects.toThrow('Not to be written.');
    expect(() => client.defer(unwritable)).toThrow('Not to be written.');

    expect(await notes()).toEqual([]);
    await client.together([BEGIN, note('after'), COMMIT]);
    expect(await notes()).toEqual(['after']);
  });
});

describe('a statement that nobody waits for', () => {
  it('runs before whatever is sent next', async () => {
    const deferred = client.defer(note('first'));
    expect(await notes()).toEqual(['first']);
    expect((await deferred).rows).toEqual([{ text: 'first' }]);
  });

  it('runs when nothing follows', async () => {
    expect((await client.defer(note('alone'))).rows).toEqual([{ text: 'alone' }]);
  });
});
