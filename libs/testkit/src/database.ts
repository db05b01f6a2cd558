import { requiredEnv, sharedResource } from './shared-resources.ts';

/** The database of one spec file, with the core's schema and the bootstrap organization. */
export interface TestDatabase {
  /** The URL of the database owner, as in DATABASE_URL. */
  readonly url: string;
  /** Closes the remaining connections and drops the database. */
  drop(): Promise<void>;
}

/**
 * The credentials that every test database contains: what `npm start` would print for a real one. Each test run
 * generates new ones.
 */
interface TestCredentials {
  readonly apiKey: string;
  readonly ownerEmail: string;
  readonly ownerPassword: string;
  /** 32 bytes in base64: the STRATA_ROOT_KEY of a core on a test database. */
  readonly rootKey: string;
  /** The password of the account that cores use. */
  readonly corePassword: string;
}

/** Creates a migrated database by copying a template that is migrated once per run. */
export const createTestDatabase = (): Promise<TestDatabase> => create({});

/** Creates an empty database for tests of the migrations. */
export const createEmptyDatabase = (): Promise<TestDatabase> => create({ empty: true });

async function create(input: { readonly empty?: boolean }): Promise<TestDatabase> {
  const { databaseUrl } = await sharedResource<{ databaseUrl: string }>('database', input);
  return { url: databaseUrl, drop: async () => void (await sharedResource('drop', { databaseUrl })) };
}

/** A database as `createTestDatabase` returns it, on a primary server with a standby. No other file uses the servers. */
export interface ReplicatedDatabase {
  readonly url: string;
  /** The URL of the same database on the standby. */
  readonly standbyUrl: string;
  stopStandby(): Promise<void>;
  /** Ends both servers. */
  close(): Promise<void>;
}

/** Starts a primary server and a standby that streams from it. */
export async function createReplicatedDatabase(): Promise<ReplicatedDatabase> {
  const servers =
    await sharedResource<Record<'databaseUrl' | 'standbyUrl' | 'primaryId' | 'standbyId', string>>('replicated');
  const stop = async (id: string) => void (await sharedResource('end', { id }));
  return {
    url: servers.databaseUrl,
    standbyUrl: servers.standbyUrl,
    stopStandby: () => stop(servers.standbyId),
    close: async () => {
      await stop(servers.standbyId);
      await stop(servers.primaryId);
    },
  };
}

/** Returns the credentials of the bootstrap organization in every test database. */
export function testCredentials(): TestCredentials {
  return {
    apiKey: requiredEnv('STRATA_TEST_API_KEY'),
    ownerEmail: requiredEnv('STRATA_TEST_OWNER_EMAIL'),
    ownerPassword: requiredEnv('STRATA_TEST_OWNER_PASSWORD'),
    rootKey: requiredEnv('STRATA_TEST_ROOT_KEY'),
    corePassword: requiredEnv('STRATA_TEST_CORE_PASSWORD'),
  };
}
