import { createTestDatabase, ledgerProblems, RawClient, type TestDatabase } from '@strata/testkit';
import { startSecondCore } from '../../testing/core-in-process.ts';
import { query } from '../../testing/query.ts';
import { waitUntil } from '../../testing/until.ts';
import { KNOWN_SCHEMA } from './migrations/index.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

/** Adds migrations as later releases would have left them, and the cores that the schema then supports. */
async function migrateFurther(names: readonly string[], servesCoresFrom: number): Promise<void> {
  for (const name of names) {
    await query({ database }, `alter table project add column ${name} text`);
    await query({ database }, `insert into schema_migration (timestamp, name) values (2700000000000, $1)`, [name]);
  }
  await query({ database }, 'update schema_compatibility set serves_cores_from = $1', [servesCoresFrom]);
}

const readinessStatus = async (origin: string) => (await new RawClient(origin, null).get('/readyz')).status;

describe('during an upgrade', () => {
  it.each([
    ['one migration', ['later']],
    ['three migrations', ['later', 'much_later', 'last']],
  ])('a core keeps running and can start if the schema is %s ahead and supports it', async (_, names) => {
    const before = await startSecondCore({ database });
    const organization = await before.organization();
    await migrateFurther(names, KNOWN_SCHEMA.number);
    const started = await startSecondCore({ database });
    try {
      for (const { origin } of [before, started]) {
        expect(await readinessStatus(origin)).toBe(200);
        const owner = new RawClient(origin, organization.ownerAuthorization);
        expect((await owner.post('projects/', { name: `from ${origin}` })).status).toBe(201);
      }
      expect(await ledgerProblems(database.url)).toEqual([]);
    } finally {
      await started.close();
      await before.close();
    }
  });

  it('a core is not ready and does not start if the schema supports only later cores', async () => {
    const core = await startSecondCore({ database });
    try {
      await migrateFurther(['later'], KNOWN_SCHEMA.number + 1);

      await waitUntil(
        () => readinessStatus(core.origin),
        (status) => status === 503,
      );
      await expect(startSecondCore({ database })).rejects.toThrow(
        `serves only cores that know migration ${KNOWN_SCHEMA.number + 1}; this one knows those up to ${KNOWN_SCHEMA.number}`,
      );
    } finally {
      await core.close();
    }
  });

  it('a core works with its own schema, whatever the schema says about other cores', async () => {
    await migrateFurther([], KNOWN_SCHEMA.number + 5);
    const core = await startSecondCore({ database });
    expect(await readinessStatus(core.origin)).toBe(200);
    await core.close();
  });

  it('a core does not start on a schema with other migrations', async () => {
    await query({ database }, `update schema_migration set name = 'elsewhere' where id = 3`);

    await expect(startSecondCore({ database })).rejects.toThrow('migration 3 is elsewhere');
  });
});
