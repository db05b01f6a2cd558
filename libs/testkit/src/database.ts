import { setting, supplied } from './supplies.ts';

/** A database of one spec file, with the core's schema and the bootstrap organization in it. */
export interface TestDatabase {
  /** The owner's URL, as DATABASE_URL. */
  readonly url: string;
  /** Disconnects whoever is left and removes it. */
  drop(): Promise<void>;
}

/** Who exists in every test database: what `npm start` would print for a real one. Fresh for each run of the tests. */
export interface TestCredentials {
  readonly apiKey: string;
  readonly ownerEmail: string;
  readonly ownerPassword: string;
  /** 32 bytes, base64: STRATA_ROOT_KEY of a core on a test database. */
  readonly rootKey: string;
}

/** Makes a migrated database, copied from a template that is migrated once per run. */
export const createTestDatabase = (): Promise<TestDatabase> => create({});

/** Makes a database with nothing in it, for tests of the migrations themselves. */
export const createEmptyDatabase = (): Promise<TestDatabase> => create({ empty: true });

async function create(input: { readonly empty?: boolean }): Promise<TestDatabase> {
  const { databaseUrl } = await supplied<{ databaseUrl: string }>('database', input);
  return { url: databaseUrl, drop: async () => void (await supplied('drop', { databaseUrl })) };
}

/** The credentials that the bootstrap organization of every test database was made with. */
export function testCredentials(): TestCredentials {
  return {
    apiKey: setting('STRATA_TEST_API_KEY'),
    ownerEmail: setting('STRATA_TEST_OWNER_EMAIL'),
    ownerPassword: setting('STRATA_TEST_OWNER_PASSWORD'),
    rootKey: setting('STRATA_TEST_ROOT_KEY'),
  };
}
