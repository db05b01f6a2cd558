import {
  createTestDatabase,
  organization,
  type TestDatabase,
  type TestOrganization,
  testCredentials,
} from '@strata/testkit';
import { type Core, createCore, type Env, readEnv } from '../index.ts';

/** A core of one spec file: its own database, a real port, and as many organizations as the tests want. */
export interface RunningCore {
  readonly core: Core;
  readonly origin: string;
  readonly database: TestDatabase;
  readonly env: Env;
  organization(): Promise<TestOrganization>;
  /** Another process would look like this: a second core on the same database. */
  another(settings?: Record<string, string>): Promise<RunningCore>;
  close(): Promise<void>;
}

export async function startTestCore(settings: Record<string, string> = {}): Promise<RunningCore> {
  const database = await createTestDatabase();
  try {
    return await startOn(database, settings, () => database.drop());
  } catch (error) {
    await database.drop();
    throw error;
  }
}

async function startOn(
  database: TestDatabase,
  settings: Record<string, string>,
  afterwards: () => Promise<void>,
): Promise<RunningCore> {
  const { rootKey, ownerEmail, ownerPassword } = testCredentials();
  const env = readEnv({
    DATABASE_URL: database.url,
    STRATA_ROOT_KEY: rootKey,
    STRATA_PORT: '0',
    STRATA_LOG_LEVEL: 'silent',
    ...settings,
  });
  const core = await createCore(env);
  const origin = await core.listen(0, '127.0.0.1');
  return {
    core,
    origin,
    database,
    env,
    organization: () => organization({ origin, ownerEmail, ownerPassword }),
    another: (more = {}) => startOn(database, { ...settings, ...more }, async () => undefined),
    close: async () => {
      await core.close();
      await afterwards();
    },
  };
}
