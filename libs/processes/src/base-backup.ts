// Copies the files of a running server. PostgreSQL makes the copy consistent when it replays the write-ahead log that
// was written meanwhile, which the copy contains.
import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { type CopiedFile, copyFile } from './copied-file.ts';
import { isWalSegment, segmentNumber } from './wal.ts';

/** A copy of the files of a server. */
export interface BaseBackup {
  /** The number of the release of PostgreSQL, such as 180004. */
  readonly postgresql: number;
  /** Identifies the database cluster and its copies. */
  readonly systemIdentifier: string;
  readonly walSegmentBytes: number;
  /** The first and the last segment of the write-ahead log that the copy needs. It contains them. */
  readonly firstSegment: string;
  readonly lastSegment: string;
  readonly startedAt: string;
  /** The earliest instant to which the copy can be restored. */
  readonly completedAt: string;
  readonly folders: readonly string[];
  readonly files: readonly CopiedFile[];
}

/** The lock that only one backup of a database can hold. The number is arbitrary. */
const BACKUP_LOCK = 7_224_110_455;

/** Folders whose files a server creates when it starts. The log is copied last. */
const EMPTY = new Set([
  ...['pg_wal', 'pg_replslot', 'pg_dynshmem', 'pg_notify', 'pg_serial', 'pg_snapshots', 'pg_stat_tmp', 'pg_subtrans'],
]);
const LEFT_OUT =
  /^(postmaster\.(pid|opts)|(backup_label|tablespace_map)(\.old)?|backup_manifest|pgsql_tmp.*|pg_internal\.init.*)$/;
/** Written at every checkpoint. Copied last, as PostgreSQL requires. */
const CONTROL = path.join('global', 'pg_control');

/** Copies the data directory of a running server of this machine into an empty folder. `url` belongs to its superuser. */
export async function copyServer(url: string, target: string): Promise<BaseBackup> {
  const client = new pg.Client({ connectionString: url, application_name: 'strata backup' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    // If the connection ends, the server ends the backup and removes the slot.
    await client.query('set timezone = utc');
    await lock(client);
    await client.query(`select pg_create_physical_replication_slot('strata_backup_' || pg_backend_pid(), true, true)`);
    const [description] = await rows<Server & { readonly dataDir: string }>(client, SERVER);
    if (!description) throw new Error('PostgreSQL returned no description of itself.');
    const { dataDir, ...server } = description;
    await client.query(`select pg_backup_start('strata', true)`);
    const { folders, files } = await copyData(dataDir, target);
    const [stop] = await rows<{ label: string; lastSegment: string; at: string }>(
      client,
      `select labelfile as label, pg_walfile_name(lsn) as "lastSegment", ${NOW} as at from pg_backup_stop(false)`,
    );
    if (!stop) throw new Error('PostgreSQL returned no description of the backup.');
    const label = await writeFile(target, 'backup_label', stop.label);
    const firstSegment = /^START WAL LOCATION: .* \(file ([0-9A-F]{24})\)$/m.exec(stop.label)?.[1] ?? '';
    const segments = { firstSegment, lastSegment: stop.lastSegment };
    const wal = await copyLog(dataDir, target, segments, server.walSegmentBytes);
    return { ...server, ...segments, completedAt: stop.at, folders, files: [...files, label, ...wal] };
  } finally {
    await client.end().catch(() => undefined);
  }
}

type Server = Pick<BaseBackup, 'postgresql' | 'systemIdentifier' | 'walSegmentBytes' | 'startedAt'>;

const NOW = `to_char(clock_timestamp(), 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
const SERVER = `
  select current_setting('server_version_num')::int as postgresql, system_identifier::text as "systemIdentifier",
         current_setting('data_directory') as "dataDir", bytes_per_wal_segment as "walSegmentBytes", ${NOW} as "startedAt" from pg_control_system(), pg_control_init()`;

async function rows<Row extends object>(client: pg.Client, sql: string): Promise<Row[]> {
  return (await client.query<Row>(sql)).rows;
}

async function lock(client: pg.Client): Promise<void> {
  const [lock] = await rows<{ isFree: boolean }>(client, `select pg_try_advisory_lock(${BACKUP_LOCK}) as "isFree"`);
  if (!lock?.isFree) throw new Error('Another backup of this database runs. Wait until it has ended.');
}

async function copyData(dataDir: string, target: string) {
  const entries = await fs.readdir(dataDir, { recursive: true, withFileTypes: true });
  const folders: string[] = [];
  const names: string[] = [];
  for (const entry of entries) {
    const name = path.relative(dataDir, path.join(entry.parentPath, entry.name));
    const [first = ''] = name.split(path.sep);
    if (entry.isSymbolicLink()) throw new Error(`${name} is a link: a backup with tablespaces is not supported.`);
    if (entry.isDirectory() && (first === name || !EMPTY.has(first) || name.startsWith('pg_wal'))) folders.push(name);
    if (entry.isFile() && !EMPTY.has(first) && !LEFT_OUT.test(entry.name) && name !== CONTROL) names.push(name);
  }
  for (const folder of folders) await fs.mkdir(path.join(target, folder), { recursive: true, mode: 0o700 });
  const files: CopiedFile[] = [];
  for (const name of names) {
    const file = await copyIfPresent(path.join(dataDir, name), path.join(target, name));
    if (file) files.push({ path: name, ...file });
  }
  files.push(await copyControl(dataDir, target));
  return { folders, files };
}

/** A table can be removed while its files are copied. */
async function copyIfPresent(from: string, to: string) {
  try {
    return await copyFile(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Reads the control file until two readings are equal, because the server may be writing it. */
async function copyControl(dataDir: string, target: string): Promise<CopiedFile> {
  const read = () => fs.readFile(path.join(dataDir, CONTROL));
  let content = await read();
  for (let secondRead = await read(); !secondRead.equals(content); secondRead = await read()) content = secondRead;
  return writeFile(target, CONTROL, content);
}

async function copyLog(
  dataDir: string,
  target: string,
  { firstSegment, lastSegment }: Pick<BaseBackup, 'firstSegment' | 'lastSegment'>,
  segmentBytes: number,
): Promise<CopiedFile[]> {
  const position = (name: string) => segmentNumber(name, segmentBytes);
  const files: CopiedFile[] = [];
  for (const name of (await fs.readdir(path.join(dataDir, 'pg_wal'))).filter(isWalSegment)) {
    if (position(name) < position(firstSegment) || position(name) > position(lastSegment)) continue;
    const file = path.join('pg_wal', name);
    files.push({ path: file, ...(await copyFile(path.join(dataDir, file), path.join(target, file))) });
  }
  return files;
}

async function writeFile(target: string, name: string, content: string | Buffer): Promise<CopiedFile> {
  const bytes = Buffer.from(content);
  await fs.writeFile(path.join(target, name), bytes, { mode: 0o600, flag: 'wx', flush: true });
  return { path: name, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}
