import { readEnv, SETTINGS } from './env.ts';

const needed = { DATABASE_URL: 'postgres://strata@db/strata', STRATA_ROOT_KEY: Buffer.alloc(32, 7).toString('base64') };

const describeErrors = (source: Record<string, string>) => {
  try {
    readEnv(source);
    return [];
  } catch (error) {
    return (error as Error).message.split('\n').map((line) => line.trim());
  }
};

describe('settings', () => {
  it('have the defaults of the table if a variable is missing or empty', () => {
    const empty = Object.fromEntries(SETTINGS.map(({ name }) => [name, '']));
    const env = readEnv({ ...empty, ...needed });
    for (const { name, default: usual } of SETTINGS) {
      if (usual !== undefined) expect([name, String(env[name as keyof typeof env])]).toEqual([name, usual]);
    }
  });

  it('are all checked at once, and errors do not repeat values that may be secret', () => {
    const lines = describeErrors({
      DATABASE_URL: 'mysql://strata:hunter2@db/strata',
      STRATA_ROOT_KEY: 'hunter2',
      STRATA_PORT: 'abc',
      STRATA_PUBLIC_URL: 'https://config.example.com/base',
      STRATA_TRUST_PROXY: 'maybe',
      STRATA_BOOTSTRAP_API_KEY: 'hunter2',
      STRATA_BOOTSTRAP_EMAIL: 'nobody',
      STRATA_BOOTSTRAP_PASSWORD: 'hunter2',
      STRATA_SLACK_API_URL: 'chat',
      STRATA_JWKS_URL: 'https://id.example.com/keys',
      STRATA_LOG_LEVEL: 'loud',
    });

    expect(lines.slice(1).map((line) => line.split(':')[0])).toEqual([
      'DATABASE_URL',
      'STRATA_PORT',
      'STRATA_PUBLIC_URL',
      'STRATA_TRUST_PROXY',
      'STRATA_ROOT_KEY',
      'STRATA_BOOTSTRAP_API_KEY',
      'STRATA_BOOTSTRAP_EMAIL',
      'STRATA_BOOTSTRAP_PASSWORD',
      'STRATA_SLACK_API_URL',
      'STRATA_LOG_LEVEL',
      'STRATA_JWKS_URL',
    ]);
    expect(lines.join('\n')).not.toMatch(/hunter2|Invalid (input|option)|NaN/);
  });

  it('are named in the error if they are missing', () => {
    expect(describeErrors({}).slice(1)).toEqual([
      expect.stringMatching(/^DATABASE_URL: is missing/),
      expect.stringMatching(/^STRATA_ROOT_KEY: is missing/),
    ]);
  });

  it.each(['-1', '65536', '1.5', '0x', ' ', 'NaN'])('are rejected if the port is %j', (port) => {
    expect(describeErrors({ ...needed, STRATA_PORT: port })).toHaveLength(2);
  });
});
