import net from 'node:net';
import pg from 'pg';
import { afterRunning } from '../running-time.ts';
import { isConnectionLost, responseTimeoutError } from './constraints.ts';
import { APPLICATION_ROLE, openSession, type SessionSettings } from './session.ts';

/** /readyz must respond within a second. */
const PROBE_MS_MAX = 800;

/** The state that the database reports. */
export interface DatabaseState {
  readonly currentUser: string;
  /** True for a standby, which is read-only. */
  readonly recovery: boolean;
  /** The names of the applied migrations in order; null if there are none. */
  readonly migrations: readonly string[] | null;
  /** The number of the last migration that a core must know to work with the schema. */
  readonly servesCoresFrom: number | null;
  /** The id of the active root key; null before the first migration is complete. */
  readonly rootKeyId: Buffer | null;
}

interface Connected {
  readonly socket: net.Socket;
  readonly client: Promise<pg.Client>;
}

export const STATE = `
select current_user::text as "currentUser", pg_is_in_recovery() as recovery, (select array_agg(name order by id) from schema_migration) as migrations,
       (select serves_cores_from from schema_compatibility) as "servesCoresFrom", (select value from root_key_check) as "rootKeyId"`;

/**
 * Commits a record to the write-ahead log and spills a sort of some 300 kB to the database's disk. Both fail if a write
 * would fail, and neither changes a row.
 */
const WRITE = `
select current_setting('transaction_read_only')::boolean as "isReadOnly",
       pg_logical_emit_message(true, 'strata', 'readyz') as logged, (select count(*) from generate_series(1, 20000)) as spilled`;
/**
 * The small work_mem makes the statement spill. A standby that does not confirm the commit must not delay the probe.
 */
const WRITE_SETTINGS = { work_mem: '64kB', synchronous_commit: 'local' };
/** The interval between two writes, however often a supervisor checks readiness. */
const WRITE_EVERY_MS = 2_000;

/**
 * Checks the database on separate connections, so that the result waits neither for a connection of the pool nor for
 * other statements, and so that a database that does not respond is detected in time.
 */
export class DatabaseProbe {
  private readonly state: ProbedStatement<DatabaseState>;
  private readonly write: ProbedStatement<{ readonly isReadOnly: boolean }>;
  private writtenAt = Number.NEGATIVE_INFINITY;

  constructor(databaseUrl: string) {
    this.state = new ProbedStatement({ name: 'database.state', text: STATE }, databaseUrl, {});
    this.write = new ProbedStatement({ name: 'database.write', text: WRITE }, databaseUrl, WRITE_SETTINGS);
  }

  /** Throws the database's error, or responseTimeoutError() if it does not respond in time. */
  readState(msMax = PROBE_MS_MAX): Promise<DatabaseState> {
    return this.state.run(msMax);
  }

  /** Returns whether a write would reach the disk now. */
  async isWritable(msMax = PROBE_MS_MAX): Promise<boolean> {
    if (performance.now() - this.writtenAt < WRITE_EVERY_MS) return true;
    const { isReadOnly } = await this.write.run(msMax).catch(() => ({ isReadOnly: true }));
    if (!isReadOnly) this.writtenAt = performance.now();
    return !isReadOnly;
  }

  /** Returns whether the database responds at all, even with an error. */
  isAnswering(): Promise<boolean> {
    return this.readState().then(
      () => true,
      (error: unknown) => !isConnectionLost(error),
    );
  }

  close(): void {
    this.state.close();
    this.write.close();
  }
}

/** One statement on its own connection. Callers that arrive while it runs share its result. */
class ProbedStatement<Row extends object> {
  private connection: Connected | null = null;
  private running: Promise<Row> | null = null;

  constructor(
    private readonly statement: { readonly name: string; readonly text: string },
    private readonly databaseUrl: string,
    private readonly settings: SessionSettings,
  ) {}

  run(msMax: number): Promise<Row> {
    this.running ??= this.inTime(msMax).finally(() => {
      this.running = null;
    });
    return this.running;
  }

  close(): void {
    this.connection?.socket.destroy();
    this.connection = null;
  }

  private async inTime(msMax: number): Promise<Row> {
    const { promise: tooLate, reject } = Promise.withResolvers<never>();
    const cancel = afterRunning(msMax, () => reject(responseTimeoutError()));
    try {
      return await Promise.race([this.query(), tooLate]);
    } catch (error) {
      this.close();
      throw error;
    } finally {
      cancel();
    }
  }

  private async query(): Promise<Row> {
    this.connection ??= this.connect();
    const client = await this.connection.client;
    const { rows } = await client.query<Row>(this.statement);
    const [row] = rows;
    if (!row) throw new Error('The database reported no state.');
    return row;
  }

  private connect(): Connected {
    const socket = new net.Socket();
    const client = new pg.Client({ connectionString: this.databaseUrl, stream: () => socket });
    client.on('error', () => this.connection?.socket === socket && this.close());
    return { socket, client: this.open(client) };
  }

  private async open(client: pg.Client): Promise<pg.Client> {
    await client.connect();
    await openSession(client, APPLICATION_ROLE, this.settings);
    return client;
  }
}
