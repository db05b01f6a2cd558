import { coreDatabaseUrl } from '@strata/processes';
import { createTestDatabase, organization, type RunningCore, testCredentials } from '@strata/testkit';
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import type { Core, Env } from '../index.ts';

/**
 * A built core in the process of the test worker, for tests that use its internals. It is loaded once for all files.
 */
export interface CoreInProcess extends RunningCore {
  readonly core: Core;
  readonly env: Env;
  /**
   * Returns the statements that this process has sent to the database since the last call, without the statements of
   * its job queue and without tokens. The first call returns none.
   */
  statements(): readonly string[];
  another(settings?: Readonly<Record<string, string>>): Promise<CoreInProcess>;
  close(): Promise<void>;
}

declare global {
  /**
   * Loads a module of the built core (`./index.js`), or of a package that it uses, which differs from the modules that
   * a spec imports.
   */
  var strataNativeModule: (name: string) => Promise<unknown>;
}

/**
 * Returns a module of the running core. `core.app.get` knows the classes of these modules, not those that a spec
 * imports.
 */
export async function moduleOfCore<M>(name: string): Promise<M> {
  return (await strataNativeModule(name)) as M;
}

/** Records the statements of the core's connections for all files of a worker, which run one after the other. */
interface StatementLog {
  /** Null until a test calls `statements`. */
  statements: string[] | null;
}
type LoggedClient = pg.Client & { [STATEMENT_LOG]?: StatementLog };

/** Statements of the job queue, and tokens, which are sent only if a connection served another organization before. */
const UNCOUNTED = /graphile_worker|strata\.tenants/;

const STATEMENT_LOG = Symbol.for('strata.ear');
let log: StatementLog = { statements: null };

/** Must run before the first core starts, because connections copy the method when they are created. */
async function listen(): Promise<StatementLog> {
  const { default: native } = await moduleOfCore<{ default: typeof pg }>('pg');
  const prototype: LoggedClient = native.Client.prototype;
  const existingLog = prototype[STATEMENT_LOG];
  if (existingLog) return existingLog;
  const newLog: StatementLog = { statements: null };
  prototype[STATEMENT_LOG] = newLog;
  const { query } = prototype;
  prototype.query = function received(this: pg.Client, ...args: unknown[]) {
    const [first] = args as [string | { text?: string }];
    const text = typeof first === 'string' ? first : (first.text ?? '');
    if (!UNCOUNTED.test(text)) newLog.statements?.push(text);
    return Reflect.apply(query, this, args);
  } as typeof query;
  return newLog;
}

function statements(): readonly string[] {
  const loggedStatements = log.statements ?? [];
  log.statements = [];
  return loggedStatements;
}

export async function startCoreInProcess(settings: Readonly<Record<string, string>> = {}): Promise<CoreInProcess> {
  const database = await createTestDatabase();
  log = await listen();
  log.statements = null;
  try {
    return await startOn(database.url, settings, () => database.drop());
  } catch (error) {
    await database.drop();
    throw error;
  }
}

/** Starts another core on the same database, with other settings if needed. */
export const startSecondCore = (
  { database }: Pick<RunningCore, 'database'>,
  settings: Readonly<Record<string, string>> = {},
): Promise<CoreInProcess> => startOn(database.url, settings, async () => undefined);

async function startOn(
  databaseUrl: string,
  settings: Readonly<Record<string, string>>,
  afterwards: () => Promise<void>,
): Promise<CoreInProcess> {
  log = await listen();
  const { createCore, readEnv } = await moduleOfCore<typeof import('../index.ts')>('./index.js');
  const { rootKey, ownerEmail, ownerPassword, corePassword } = testCredentials();
  const env = readEnv({
    DATABASE_URL: coreDatabaseUrl(databaseUrl, corePassword),
    STRATA_ROOT_KEY: rootKey,
    STRATA_PORT: '0',
    // The test database does not wait until the disk has stored a commit.
    STRATA_UNSAFE_DATABASE: 'true',
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
    another: (extraSettings = {}) => startOn(databaseUrl, { ...settings, ...extraSettings }, async () => undefined),
    close: async () => {
      await core.close();
      await afterwards();
    },
  };
}

/** Returns every method and path pattern of the router. */
export async function listRoutes({ core }: CoreInProcess): Promise<{ method: string; url: string }[]> {
  const { servedRoutes } = await moduleOfCore<typeof import('../index.ts')>('./index.js');
  return servedRoutes(core.app.getHttpAdapter().getInstance() as unknown as FastifyInstance);
}
