import { createTestDatabase, testCredentials } from './database.ts';
import { organization, type TestOrganization } from './organization.ts';
import { sharedResource, workerId } from './shared-resources.ts';

/** A core as in production: its own process, a real port, and as many organizations as the tests need. */
export interface RunningCore {
  readonly origin: string;
  readonly database: { readonly url: string };
  organization(): Promise<TestOrganization>;
  /** Starts a second core on the same database. */
  another(settings?: Readonly<Record<string, string>>): Promise<OwnCore>;
}

/** A core that no other file uses, so its file may stop or reconfigure it. */
export interface OwnCore extends RunningCore {
  close(): Promise<void>;
}

/**
 * Returns the core that all files of a worker share. Their tests use separate organizations and need no other settings.
 */
export async function sharedCore(): Promise<RunningCore> {
  const { origin, databaseUrl, ownerAuthorization } = await sharedResource<{
    origin: string;
    databaseUrl: string;
    ownerAuthorization: string;
  }>('sharedCore', { worker: workerId() });
  return runningCore(origin, databaseUrl, {}, ownerAuthorization);
}

/** Starts a core with its own settings and database, for tests that would affect others. */
export async function startCore(settings: Readonly<Record<string, string>> = {}): Promise<OwnCore> {
  const database = await createTestDatabase();
  const core = await startOn(database.url, settings).catch(async (error) => {
    await database.drop();
    throw error;
  });
  return {
    ...core,
    close: async () => {
      await core.close();
      await database.drop();
    },
  };
}

async function startOn(databaseUrl: string, settings: Readonly<Record<string, string>>): Promise<OwnCore> {
  const { id, origin } = await sharedResource<{ id: string; origin: string }>('core', { databaseUrl, settings });
  const close = async () => void (await sharedResource('end', { id }));
  return { ...runningCore(origin, databaseUrl, settings), close };
}

export interface RunningGateway {
  readonly origin: string;
}

export interface OwnGateway extends RunningGateway {
  close(): Promise<void>;
}

/** Returns the gateway with these settings on the core that all files of a worker share. */
export const sharedGateway = (settings: Readonly<Record<string, string>> = {}): Promise<RunningGateway> =>
  sharedResource('sharedGateway', { worker: workerId(), settings });

/** Starts a gateway on a core that belongs to the file. */
export async function startGateway(
  core: RunningCore,
  settings: Readonly<Record<string, string>> = {},
): Promise<OwnGateway> {
  const request = { coreOrigin: core.origin, settings };
  const { id, origin } = await sharedResource<{ id: string; origin: string }>('gateway', request);
  return { origin, close: async () => void (await sharedResource('end', { id })) };
}

function runningCore(
  origin: string,
  databaseUrl: string,
  settings: Readonly<Record<string, string>>,
  ownerAuthorization?: string,
): RunningCore {
  const { ownerEmail, ownerPassword } = testCredentials();
  return {
    origin,
    database: { url: databaseUrl },
    organization: () => organization({ origin, ownerEmail, ownerPassword, ownerAuthorization }),
    another: (extraSettings = {}) => startOn(databaseUrl, { ...settings, ...extraSettings }),
  };
}
