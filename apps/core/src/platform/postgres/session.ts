import { randomBytes } from 'node:crypto';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { StartError } from '../start-errors.ts';

/**
 * The role of the running service. It owns nothing and cannot change the history in the ledger. It protects from wrong
 * statements only, because a connection can reset its role.
 */
export const APPLICATION_ROLE = 'strata_app';

/** `set role none` selects the account in DATABASE_URL, which owns the schema. */
export const OWNER_ROLE = 'none';

export type SessionRole = typeof APPLICATION_ROLE | typeof OWNER_ROLE;

/** Settings of PostgreSQL by name. The value is in the form that PostgreSQL reads. */
export type SessionSettings = Readonly<Record<string, string>>;

/** A database or an account can have other defaults, on which the texts of statements and their results would depend. */
const EVERY_SESSION: SessionSettings = {
  timezone: 'UTC',
  datestyle: 'ISO',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  standard_conforming_strings: 'on',
  default_transaction_isolation: 'read committed',
  row_security: 'on',
  // A notice says that a COMMIT has not waited for its standbys.
  client_min_messages: 'warning',
};

interface SessionState {
  readonly currentUser: string;
  readonly owner: string;
  readonly encoding: string;
  /** `replica` disables the triggers that write the history. */
  readonly triggers: string;
}

const STATE = `
select current_user::text as "currentUser", session_user::text as owner, current_setting('client_encoding') as encoding,
       current_setting('session_replication_role') as triggers`;

/**
 * Sets the role and the settings of a new connection, and reads back what protects the data. Startup parameters are not
 * used, because a connection pooler may reject or ignore them, and `options` in DATABASE_URL replaces them.
 */
export async function openSession(
  client: pg.ClientBase,
  databaseRole: SessionRole,
  settings: SessionSettings,
): Promise<void> {
  const all = Object.entries({ role: databaseRole, ...EVERY_SESSION, ...settings });
  const set = all.map(([name, value]) => `set_config('${name}', ${pg.escapeLiteral(value)}, false)`).join(', ');
  const results = await client.query(`select ${set};${STATE}`);
  const [, { rows }] = results as unknown as [pg.QueryResult, pg.QueryResult<SessionState>];
  const [state] = rows;
  const { currentUser, owner, encoding, triggers } = state as SessionState;
  const expectedUser = { [OWNER_ROLE]: owner, [APPLICATION_ROLE]: APPLICATION_ROLE }[databaseRole];
  if (currentUser !== expectedUser) throw roleLostError();
  if (encoding !== 'UTF8') throw sessionError(`The connection has the encoding ${encoding} instead of UTF8.`);
  if (triggers !== 'origin')
    throw sessionError(
      `session_replication_role is ${triggers}, so triggers would not write the history. Remove the setting from the database and the account in DATABASE_URL.`,
    );
}

/** An error that stops the start. In a running process, it is handled like a lost connection. */
const sessionError = (message: string): Error => Object.assign(new StartError(message), { code: '08006' });

/** Returns the error for a transaction that would run with the rights of the owner of the schema. */
export const roleLostError = (): Error =>
  sessionError(
    `The connection to PostgreSQL does not keep the role ${APPLICATION_ROLE}. If DATABASE_URL leads to a connection pooler, let it pool sessions (pool_mode = session in PgBouncer).`,
  );

const CONNECT_MS_MAX = 10_000;

/** Runs work on a separate connection, for the commands of operators. */
export async function withSession<Result>(
  connectionString: string,
  role: SessionRole,
  settings: SessionSettings,
  run: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = separateClient(connectionString);
  try {
    await client.connect();
    await openSession(client, role, settings);
    return await run(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Runs work of an operator in one transaction. */
export async function inTransaction<Result>(client: pg.Client, work: () => Promise<Result>): Promise<Result> {
  await client.query('begin');
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

function separateClient(connectionString: string): pg.Client {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_MS_MAX });
  client.on('error', () => undefined);
  return client;
}

const ANSWER_MS_MAX = 5_000;

const POOLS_TRANSACTIONS =
  'DATABASE_URL leads to a connection pooler that does not keep sessions, so the role strata_app, time limits and LISTEN would be lost between transactions. Let it pool sessions (pool_mode = session in PgBouncer), or connect to PostgreSQL directly.';
const NO_SECOND_CONNECTION =
  'The connection pooler in DATABASE_URL provides no second connection. Raise its limit (default_pool_size in PgBouncer): docs/guides/install.md says how many connections a core uses.';

/**
 * Throws if the server can change between two transactions of a connection, as with a pooler of transactions. Only a
 * connection that has its server to itself is notified while it is idle.
 */
export async function assertKeepsSessions(connectionString: string): Promise<void> {
  const [listener, notifier] = [separateClient(connectionString), separateClient(connectionString)];
  const channel = `strata_session_${randomBytes(8).toString('hex')}`;
  const notification = new Promise<true>((resolve) => listener.on('notification', () => resolve(true)));
  try {
    await listener.connect();
    await listener.query(`listen ${channel}`);
    await notifier.connect();
    if (!(await inTime(notifier.query(`notify ${channel}`)))) throw new StartError(NO_SECOND_CONNECTION);
    if (!(await inTime(notification))) throw new StartError(POOLS_TRANSACTIONS);
  } catch (error) {
    // A standby supports no notifications. It is rejected later, with its own message.
    if ((error as { code?: string }).code !== '25006') throw error;
  } finally {
    for (const client of [listener, notifier]) void client.end().catch(() => undefined);
  }
}

/** Returns null if the result does not arrive in time. A result that arrived while the process was busy counts. */
async function inTime<Result>(result: Promise<Result>): Promise<Result | null> {
  const timer = new AbortController();
  const tooLate = async () => {
    await sleep(ANSWER_MS_MAX, undefined, { signal: timer.signal });
    await setImmediate();
    await setImmediate();
    return null;
  };
  try {
    return await Promise.race([result, tooLate()]);
  } finally {
    timer.abort();
  }
}
