import { createTestDatabase, type TestDatabase } from '@strata/testkit';
import { startSecondCore } from '../../testing/core-in-process.ts';
import { query } from '../../testing/query.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const start = (setting: string) => startSecondCore({ database }, { STRATA_UNSAFE_DATABASE: setting });

describe('a database that could lose acknowledged writes', () => {
  it('is rejected at start: the error names the setting and what to do', async () => {
    await expect(start('false')).rejects.toThrow(
      /lose committed changes: fsync, full_page_writes, synchronous_commit is off\. Turn it on\..*STRATA_UNSAFE_DATABASE=true/,
    );
  });

  it('is rejected even if synchronous_commit is on', async () => {
    const name = new URL(database.url).pathname.slice(1);
    await query({ database }, `alter database ${name} set synchronous_commit = remote_write`);

    await expect(start('false')).rejects.toThrow(/: fsync, full_page_writes is off\./);
  });

  it('is accepted for development and tests with STRATA_UNSAFE_DATABASE', async () => {
    const core = await start('true');

    expect((await fetch(`${core.origin}/readyz`)).status).toBe(200);
    await core.close();
  });
});
