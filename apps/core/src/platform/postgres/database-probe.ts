import net from 'node:net';
import pg from 'pg';
import { hasTimedOut, isConnectionLost } from './constraints.ts';

/** Whoever asks whether the service is ready is told within a second. */
const PROBE_MS_MAX = 800;

/** A timer that is so late was held up by our own work, and so was whatever came in. */
const LATE_MS = 200;

/** What the database says of itself. */
export interface DatabaseState {
  /** A standby: it can be read only. */
  readonly recovery: boolean;
  /** Names of the migrations that were applied, in their order; null when there are none. */
  readonly migrations: readonly string[] | null;
  /** Number of the last migration that a core must know to work with the schema. */
  readonly servesCoresFrom: number | null;
}

interface Connected {
  readonly socket: net.Socket;
  readonly client: Promise<pg.Client>;
}

const STATE = `
select pg_is_in_recovery() as recovery, (select array_agg(name order by id) from schema_migration) as migrations,
       (select serves_cores_from from schema_compatibility) as "servesCoresFrom"`;

/**
 * Looks at the database on a connection of its own: the answer neither waits for a place in the pool nor for what others
 * asked, and a database that is silent is found out in time. Who asks while somebody looks gets the same answer.
 */
export class DatabaseProbe {
  private kept: Connected | null = null;
  private looking: Promise<DatabaseState> | null = null;

  constructor(
    private readonly databaseUrl: string,
    private readonly role: string,
  ) {}

  /** Throws what is wrong when the database cannot say it, and as if the connection had broken when it says nothing in time. */
  look(msMax = PROBE_MS_MAX): Promise<DatabaseState> {
    this.looking ??= this.inTime(msMax).finally(() => {
      this.looking = null;
    });
    return this.looking;
  }

  /** Whether it says anything at all, be it that something is wrong. A process that is too busy to listen believes that it does. */
  isAnswering(): Promise<boolean> {
    const asked = performance.now();
    return this.look().then(
      () => true,
      (error: unknown) => !isConnectionLost(error) || performance.now() - asked > PROBE_MS_MAX + LATE_MS,
    );
  }

  close(): void {
    this.kept?.socket.destroy();
    this.kept = null;
  }

  private async inTime(msMax: number): Promise<DatabaseState> {
    const { promise: tooLate, reject } = Promise.withResolvers<never>();
    // what has arrived while the process was busy counts as an answer in time
    const giveUp = () => setImmediate(() => setImmediate(() => reject(hasTimedOut())));
    const timer = setTimeout(giveUp, msMax);
    try {
      return await Promise.race([this.ask(), tooLate]);
    } catch (error) {
      this.close();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  private async ask(): Promise<DatabaseState> {
    this.kept ??= this.connect();
    const client = await this.kept.client;
    const { rows } = await client.query<DatabaseState>({ name: 'database.state', text: STATE });
    const [state] = rows;
    if (!state) throw new Error('The database said nothing of itself.');
    return state;
  }

  private connect(): Connected {
    const socket = new net.Socket();
    const options = `-c role=${this.role}`;
    const client = new pg.Client({ connectionString: this.databaseUrl, options, stream: () => socket });
    client.on('error', () => this.kept?.socket === socket && this.close());
    return { socket, client: client.connect().then(() => client) };
  }
}
