export interface PostgresOptions {
  /**
   * The directory of the database files, which is created if missing. A log and helper files are written beside it. If
   * root starts the database, it runs as another user, who must be able to reach the directory (mode 711 on a temporary
   * directory). Otherwise the files move to /var/lib.
   */
  readonly dataDir: string;
  /** The password of the owner `strata`, which is set when the directory is created. */
  readonly password: string;
  /** The port to use, for instance for a restart in a crash test. By default, a free one is chosen. */
  readonly port?: number;
  /**
   * Whether to flush writes to disk; true by default. False is faster, for tests: a power failure may lose everything.
   */
  readonly durable?: boolean;
  /** Additional server settings, such as { max_connections: '300' }. */
  readonly settings?: Readonly<Record<string, string>>;
  /** A directory to remove when the database ends, even if this process is killed. */
  readonly removeOnEnd?: string;
  /** Receives one line for each step that takes time. */
  readonly log?: (line: string) => void;
}

export interface RunningPostgres {
  readonly port: number;
  readonly pid: number;
  readonly dataDir: string;
  readonly logFile: string;
  /** Whether this start created the directory. */
  readonly created: boolean;
  /** Returns the owner's URL of a database; of `strata` without an argument. */
  url(database?: string): string;
  /** Resolves when the server has ended, for any reason. */
  readonly exited: Promise<{ code: number | null; signal: string | null }>;
  /** Closes all connections, writes everything to disk, and ends the server. */
  stop(): Promise<void>;
  /** Kills the server with SIGKILL, for crash tests. The directory remains and can be started again. */
  kill(): Promise<void>;
}

export function startPostgres(options: PostgresOptions): Promise<RunningPostgres>;
export function freePort(host?: string): Promise<number>;
