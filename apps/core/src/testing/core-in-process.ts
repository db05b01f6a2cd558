import { createTestDatabase, organization, type RunningCore, testCredentials } from '@strata/testkit';
import pg from 'pg';
import { type Core, createCore, type Env, readEnv } from '../index.ts';
import { Batch } from '../platform/database/batch.ts';

/** A core inside the test's own process, for tests that reach into it: loading all of it takes seconds of a processor. */
export interface CoreInProcess extends RunningCore {
  readonly core: Core;
  readonly env: Env;
  /** What this process has said to the database since the last call, its queue of jobs left out. */
  statements(): readonly string[];
  another(settings?: Readonly<Record<string, string>>): Promise<CoreInProcess>;
  close(): Promise<void>;
}

let said: string[] = [];

/** Before the first core: its connections take hold of the method when they are made. */
function listen(): void {
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function heard(this: pg.Client, ...args: unknown[]) {
    const [first] = args as [string | Batch | { text?: string }];
    const texts = first instanceof Batch ? first.texts : [typeof first === 'string' ? first : (first.text ?? '')];
    said.push(...texts.filter((text) => !text.includes('graphile_worker')));
    return Reflect.apply(query, this, args);
  } as typeof query;
}
listen();

function statements(): readonly string[] {
  const since = said;
  said = [];
  return since;
}

export async function startCoreInProcess(settings: Readonly<Record<string, string>> = {}): Promise<CoreInProcess> {
  const database = await createTestDatabase();
  try {
    return await startOn(database.url, settings, () => database.drop());
  } catch (error) {
    await database.drop();
    throw error;
  }
}

async function startOn(
  databaseUrl: string,
  settings: Readonly<Record<string, string>>,
  afterwards: () => Promise<void>,
): Promise<CoreInProcess> {
  const { rootKey, ownerEmail, ownerPassword } = testCredentials();
  const env = readEnv({
    DATABASE_URL: databaseUrl,
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
    database: { url: databaseUrl },
    env,
    statements,
    organization: () => organization({ origin, ownerEmail, ownerPassword }),
    another: (more = {}) => startOn(databaseUrl, { ...settings, ...more }, async () => undefined),
    close: async () => {
      await core.close();
      await afterwards();
    },
  };
}
