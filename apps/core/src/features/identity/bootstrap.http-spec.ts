import { testCredentials } from '@strata/testkit';
import { migrate, readEnv } from '../../index.ts';
import { type CoreInProcess, startCoreInProcess } from '../../testing/core-in-process.ts';

let core: CoreInProcess;
beforeAll(async () => {
  core = await startCoreInProcess();
});
afterAll(() => core.close());

const SECRET = 'another_secret_of_at_least_32_characters';

/** Runs the migrations again, like a start with other environment variables. */
function repeatBootstrap(
  apiKey: string,
  ownerEmail = testCredentials().ownerEmail,
  ownerPassword = SECRET,
): Promise<void> {
  const { rootKey } = testCredentials();
  return migrate(
    readEnv({
      DATABASE_URL: core.database.url,
      STRATA_ROOT_KEY: rootKey,
      STRATA_BOOTSTRAP_API_KEY: apiKey,
      STRATA_BOOTSTRAP_EMAIL: ownerEmail,
      STRATA_BOOTSTRAP_PASSWORD: ownerPassword,
      STRATA_LOG_LEVEL: 'silent',
    }),
  );
}

async function statusWith(apiKey: string): Promise<number> {
  const response = await fetch(`${core.origin}/api/v1/users/current/`, {
    headers: { authorization: `Api-Key ${apiKey}` },
  });
  return response.status;
}

async function signIn(email: string, password: string): Promise<number> {
  const body = JSON.stringify({ email, password });
  const headers = { 'content-type': 'application/json' };
  return (await fetch(`${core.origin}/api/v1/auth/token/`, { method: 'POST', headers, body })).status;
}

describe('the owner from the environment variables', () => {
  it('keeps the original e-mail address and password, and no second owner or organization is created', async () => {
    const { apiKey, ownerEmail, ownerPassword } = testCredentials();
    const count = async () => {
      const headers = { authorization: `Api-Key ${apiKey}` };
      const response = await fetch(`${core.origin}/api/v1/organizations/`, { headers });
      return ((await response.json()) as { count: number }).count;
    };
    const before = await count();
    await repeatBootstrap(apiKey, 'somebody@else.example');
    await repeatBootstrap(apiKey, ownerEmail, SECRET);

    expect(await signIn(ownerEmail, ownerPassword)).toBe(200);
    expect(await signIn(ownerEmail, SECRET)).not.toBe(200);
    expect(await signIn('somebody@else.example', SECRET)).not.toBe(200);
    expect(await count()).toBe(before);
  });
});

describe('the API key from the environment variables', () => {
  it('works again after a restart, and so does a new one', async () => {
    const { apiKey } = testCredentials();
    await repeatBootstrap(apiKey);
    await repeatBootstrap(`newnewne.${SECRET}`);

    expect([await statusWith(apiKey), await statusWith(`newnewne.${SECRET}`)]).toEqual([200, 200]);
  });

  it('is rejected if another key has the same prefix, instead of being silently ignored', async () => {
    const { apiKey } = testCredentials();
    const twin = `${apiKey.slice(0, 8)}.${SECRET}`;

    await expect(repeatBootstrap(twin)).rejects.toThrow(/STRATA_BOOTSTRAP_API_KEY.*Choose other letters/);
    await expect(repeatBootstrap(twin)).rejects.not.toThrow(SECRET);
    expect([await statusWith(apiKey), await statusWith(twin)]).toEqual([200, 403]);
  });
});
