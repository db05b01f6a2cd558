export interface PostgresOptions {
  /**
   * Directory of the database files; made when missing. A log and helpers appear beside it.
   * Started by root, the database runs as another user, who must be able to walk there (mode 711 on a temporary
   * directory); else the files move to /var/lib.
   */
  readonly dataDir: string;
  /** Password of the owner `strata`, set when the directory is made. */
  readonly password: string;
  /** Insist on this port (a crash test that restarts); otherwise a free one is chosen. */
  readonly port?: number;
  /** False for tests: faster, and a power cut may lose everything. Default true. */
  readonly durable?: boolean;
  /** More server settings, such as { max_connections: '300' }. */
  readonly settings?: Readonly<Record<string, string>>;
  /** A directory to remove when the database ends, even when this process is killed. */
  readonly removeOnEnd?: string;
  /** Receives one line per step that takes time. */
  readonly log?: (line: string) => void;
}

export interface RunningPostgres {
  readonly port: number;
  readonly pid: number;
  readonly dataDir: string;
  readonly logFile: string;
  /** True when the directory did not exist before. */
  readonly created: boolean;
  /** Owner's URL of a database; of `strata` without an argument. */
  url(database?: string): string;
  /** Resolves when the server has ended, for whatever reason. */
  readonly exited: Promise<{ code: number | null; signal: string | null }>;
  /** Disconnects everybody, writes everything down, ends. */
  stop(): Promise<void>;
  /** kill -9, for crash tests. The directory stays; start again on it. */
  kill(): Promise<void>;
}

export function startPostgres(options: PostgresOptions): Promise<RunningPostgres>;
export function freePort(host?: string): Promise<number>;
