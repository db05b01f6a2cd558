import { createTestDatabase, ledgerProblems, RawClient, type TestDatabase } from '@strata/testkit';
import { coreBeside } from '../../testing/core-in-process.ts';
import { query } from '../../testing/query.ts';
import { until } from '../../testing/until.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

/** As a later release would have left it: something more, and nothing less. */
async function migrateFurther(name: string): Promise<void> {
  await query({ database }, `alter table project add column ${name} text`);
  await query({ database }, `insert into schema_migration (timestamp, name) values (2700000000000, $1)`, [name]);
}

const statusOf = async (origin: string) => (await new RawClient(origin, null).get('/readyz')).status;

describe('while a release is being replaced', () => {
  it('a core serves on when the schema goes one migration further, and starts on it', async () => {
    const before = await coreBeside({ database });
    const organization = await before.organization();
    await migrateFurther('later');
    const started = await coreBeside({ database });
    try {
      for (const { origin } of [before, started]) {
        expect(await statusOf(origin)).toBe(200);
        const owner = new RawClient(origin, organization.ownerAuthorization);
        expect((await owner.post('projects/', { name: `from ${origin}` })).status).toBe(201);
      }
      expect(await ledgerProblems(database.url)).toEqual([]);
    } finally {
      await started.close();
      await before.close();
    }
  });

  it('a core is not ready, and does not start, when the schema is two migrations further', async () => {
    const core = await coreBeside({ database });
    try {
      await migrateFurther('later');
      await migrateFurther('much_later');

      await until(
        () => statusOf(core.origin),
        (status) => status === 503,
      );
      await expect(coreBeside({ database })).rejects.toThrow('2 migrations ahead of this core, which bears one');
    } finally {
      await core.close();
    }
  });

  it('a core does not start on a schema that came another way', async () => {
    await query({ database }, `update schema_migration set name = 'elsewhere' where id = 3`);

    await expect(coreBeside({ database })).rejects.toThrow('migration 3 is elsewhere');
  });
});
