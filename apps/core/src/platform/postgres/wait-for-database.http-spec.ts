import { createTestDatabase, type TestDatabase } from '@strata/testkit';
import { startErrorMessage } from '../start-errors.ts';
import { waitForDatabase } from './wait-for-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

function changeUrl(change: (url: URL) => void): string {
  const url = new URL(database.url);
  change(url);
  return url.href;
}

/** Returns the error for the operator. Waits long enough to detect a start that waits although it can never succeed. */
const errorFor = async (url: string) =>
  startErrorMessage(await waitForDatabase(url, 60_000, () => undefined).catch((e) => e));

const set = (part: 'username' | 'password' | 'pathname', text: string) => () =>
  changeUrl((url) => {
    url[part] = text;
  });

describe('waiting for a database', () => {
  it.each([
    ['a password that is missing', set('password', ''), 'DATABASE_URL has none. Write it as postgres://user:password@'],
    ['a wrong password', set('password', 'hunter2'), 'rejects the user or the password'],
    ['an unknown user', set('username', 'unknown_user'), 'rejects the user or the password'],
    ['an unknown database', set('pathname', '/elsewhere'), 'does not exist'],
    ['TLS, which the server does not support', () => `${database.url}?sslmode=verify-full`, 'does not support'],
    ['a password that is not escaped', () => database.url.replace('@', '/hunter2@'), '%2F for /'],
  ])('fails at once with one sentence: %s', async (_, url, sentence) => {
    const trouble = await errorFor(url());

    expect(trouble).toContain('DATABASE_URL');
    expect(trouble).toContain(sentence);
    expect(trouble).not.toContain('hunter2');
  });

  it('ends when the database accepts connections', async () => {
    await expect(waitForDatabase(database.url, 0, () => undefined)).resolves.toBeUndefined();
  });
});
