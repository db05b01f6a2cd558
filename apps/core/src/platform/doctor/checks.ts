import { readdir, statfs } from 'node:fs/promises';
import { formatCount } from '@strata/domain';
import type pg from 'pg';
import { type DatabaseState, STATE } from '../postgres/database-probe.ts';
import { describeWrongEncoding, readUnsafeSettings } from '../postgres/durability.ts';
import { KNOWN_SCHEMA } from '../postgres/migrations/index.ts';
import { unenforcedTables } from '../postgres/row-security.ts';
import { schemaLineage } from '../postgres/schema-lineage.ts';
import { privilegeProblem } from '../postgres/service-account.ts';
import { APPLICATION_ROLE, assertKeepsSessions, withSession } from '../postgres/session.ts';
import { OTHER_ROOT_KEY, StartError } from '../start-errors.ts';
import { findActiveRootKey } from '../vault/active-root-key.ts';
import { countUnnumberedOrganizations } from '../vault/data-key-rotation.ts';
import type { RootKeys } from '../vault/root-key.ts';
import { countKeysUnderOtherRootKeys } from '../vault/root-key-rotation.ts';
import { INDEXES } from './indexes.ts';
import { standbyProblems } from './standbys.ts';

/** The result of a check: what it found, or what is wrong and what to do. */
export interface Finding {
  readonly subject: string;
  readonly isFine: boolean;
  readonly text: string;
}

/** The folders of an installation with the embedded database. */
export interface Folders {
  /** The folder of the database; undefined if another server is used. */
  readonly dataDir?: string | undefined;
  /** The folder of the backups and the archive. */
  readonly backupDir?: string | undefined;
}

/** The installation to check. */
export interface CheckedInstallation extends Folders {
  readonly databaseUrl: string;
  readonly standbyUrls: readonly string[];
  readonly rootKeys: RootKeys;
}

/** Looks at one part of an installation, and returns what is wrong with it, one sentence or two per problem. */
export interface Check {
  readonly subject: string;
  /** The text if there is no problem. */
  readonly fine: string;
  readonly problems: (client: pg.Client, installation: CheckedInstallation) => Promise<readonly string[]>;
}

const CLOCK_MS_MAX = 2_000;
/** Graphile Worker repeats a job that a process has locked for longer than four hours. */
const LOCK_MINUTES_MAX = 15;
const KEY_DAYS_MIN = 14;
const FREE_SHARE_MIN = 0.1;
const FREE_BYTES_MIN = 1024 ** 3;

/** A segment waits for less than a second while archiving works. */
const ARCHIVE_MINUTES_MAX = 5;
const BACKUP_DAYS_MAX = 7;
/** The name of a complete backup contains its time. */
const BACKUP = /^backup-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

const date = (at: Date): string => at.toISOString().slice(0, 10);

async function rows<Row extends object>(client: pg.Client, sql: string, values: unknown[] = []): Promise<Row[]> {
  return (await client.query<Row>(sql, values)).rows;
}

async function schemaProblems(client: pg.Client): Promise<string[]> {
  const [state] = await rows<DatabaseState>(client, STATE);
  const { migrations = null, servesCoresFrom = null } = state ?? {};
  const lineage = schemaLineage({ migrations: migrations ?? [], servesCoresFrom }, KNOWN_SCHEMA);
  if (lineage.is === 'incompatible') return [lineage.because];
  if (lineage.is === 'current') return [];
  return [`The schema is ahead of this release (${lineage.by.join(', ')}). Install the newer release here, too.`];
}

async function indexProblems(client: pg.Client): Promise<string[]> {
  const indexes = await rows<{ name: string; isValid: boolean }>(
    client,
    `select relname::text as name, indisvalid as "isValid"
       from pg_index join pg_class on pg_class.oid = indexrelid where relnamespace = current_schema()::regnamespace`,
  );
  const missingIndexes = Object.entries(INDEXES).filter(([name]) => !indexes.some((index) => index.name === name));
  const invalid = indexes.filter(({ isValid }) => !isValid);
  return [
    ...missingIndexes.map(
      ([name, definition]) => `${name} is missing, so reads may be slow. Create it: ${definition};`,
    ),
    ...invalid.map(({ name }) => `${name} is invalid. Create it again: reindex index concurrently ${name};`),
  ];
}

const haveJobs = (count: number): string => formatCount(count, 'job has', 'jobs have');

async function jobProblems(client: pg.Client): Promise<string[]> {
  const [job] = await rows<{ locked: number; workers: string[] | null; failed: number }>(
    client,
    `select count(*) filter (where is_locked)::int as locked, array_agg(distinct locked_by) filter (where is_locked) as workers,
            count(*) filter (where attempts >= max_attempts)::int as failed
       from (select *, locked_at < now() - make_interval(mins => $1) as is_locked from graphile_worker._private_jobs) job`,
    [LOCK_MINUTES_MAX],
  );
  const workers = (job?.workers ?? []).map((name) => `'${name.replaceAll("'", "''")}'`).join(', ');
  return [
    ...(job?.locked
      ? [
          `${haveJobs(job.locked)} been locked for more than ${LOCK_MINUTES_MAX} minutes, probably by a process that was killed. Strata repeats them after four hours. To repeat them now: select graphile_worker.force_unlock_workers(array[${workers}]);`,
        ]
      : []),
    ...(job?.failed
      ? [
          `${haveJobs(job.failed)} failed at all attempts. Read the log of the core, then remove them: select graphile_worker.complete_jobs(array(select id from graphile_worker._private_jobs where attempts >= max_attempts));`,
        ]
      : []),
  ];
}

async function keyProblems(client: pg.Client): Promise<string[]> {
  const keys = await rows<{ organization: string; account: string; at: Date; isExpired: boolean }>(
    client,
    `select organization.name as organization, person.name as account, api_key.expires_at as at,
            api_key.expires_at <= now() as "isExpired"
       from api_key join organization on organization.id = api_key.organization_id join person on person.id = api_key.person_id
      where api_key.expires_at < now() + make_interval(days => $1) and organization.deleted_at is null
      order by api_key.expires_at`,
    [KEY_DAYS_MIN],
  );
  return keys.map(
    ({ organization, account, at, isExpired }) =>
      `The key of ${account} in ${organization} ${isExpired ? 'expired' : 'expires'} on ${date(at)}. Create a new key on the page Service accounts, or delete the account.`,
  );
}

async function dataKeyProblems(client: pg.Client): Promise<string[]> {
  const count = await countUnnumberedOrganizations(client);
  if (count === 0) return [];
  return [
    `An attacker can replace secrets of ${formatCount(count, 'organization')} by earlier ones unnoticed. When all cores are of this release, run strata keys rotate --data-keys.`,
  ];
}

async function rootKeyProblems(client: pg.Client, { rootKeys }: CheckedInstallation): Promise<string[]> {
  const activeKey = await findActiveRootKey((sql) => rows(client, sql), rootKeys);
  if (!activeKey) return [OTHER_ROOT_KEY];
  const rest = await countKeysUnderOtherRootKeys(client, rootKeys.current);
  if (rest > 0)
    return [`${formatCount(rest, 'key is', 'keys are')} not encrypted with STRATA_ROOT_KEY. Run strata keys rotate.`];
  return rootKeys.previous ? ['STRATA_PREVIOUS_ROOT_KEY is not needed any more. Remove it from all cores.'] : [];
}

async function serverProblems(client: pg.Client): Promise<string[]> {
  const [server] = await rows<{ encoding: string; isStandby: boolean }>(
    client,
    `select current_setting('server_encoding') as encoding, pg_is_in_recovery() as "isStandby"`,
  );
  return [
    ...(server && server.encoding !== 'UTF8' ? [describeWrongEncoding(server.encoding)] : []),
    ...(server?.isStandby ? ['The server is a standby and read-only. Connect to the primary server.'] : []),
    ...(await readUnsafeSettings(client)).map(
      (name) => `${name} is off, so a crash can lose acknowledged changes. Turn it on.`,
    ),
  ];
}

/** Checks a connection as the core uses it. */
async function connectionProblems(_client: pg.Client, { databaseUrl }: CheckedInstallation): Promise<string[]> {
  try {
    await assertKeepsSessions(databaseUrl);
    await withSession(databaseUrl, APPLICATION_ROLE, {}, async () => undefined);
    return [];
  } catch (error) {
    if (error instanceof StartError) return [error.message];
    throw error;
  }
}

/** Checks what the account of the core may do beyond its role. */
async function privilegeProblems(_client: pg.Client, { databaseUrl }: CheckedInstallation): Promise<string[]> {
  const problem = await withSession(databaseUrl, APPLICATION_ROLE, {}, privilegeProblem);
  return problem === null ? [] : [problem];
}

async function isolationProblems(client: pg.Client): Promise<string[]> {
  const tables = await unenforcedTables(client);
  if (tables.length === 0) return [];
  return [
    `Row-level security is not enforced for ${formatCount(tables.length, 'table')}, so a faulty statement could show rows of another organization. Once no core of an earlier release runs: strata migrate --enforce`,
  ];
}

async function clockProblems(client: pg.Client): Promise<string[]> {
  const before = Date.now();
  const [clock] = await rows<{ now: number }>(
    client,
    'select extract(epoch from clock_timestamp())::float8 * 1000 as now',
  );
  // The response took some of the difference.
  const difference = Math.abs((clock?.now ?? before) - (before + Date.now()) / 2);
  if (difference <= CLOCK_MS_MAX) return [];
  return [
    `The clocks of this machine and of the database differ by ${(difference / 1_000).toFixed(1)} s. Synchronize both with NTP: tokens and expirations depend on them.`,
  ];
}

/** The disk of the embedded database. Strata cannot look at the disk of another server. */
async function diskProblems(_client: pg.Client, { dataDir }: CheckedInstallation): Promise<string[]> {
  if (!dataDir) return [];
  const { bavail, blocks, bsize } = await statfs(dataDir);
  const [free, share] = [bavail * bsize, bavail / blocks];
  if (free >= FREE_BYTES_MIN && share >= FREE_SHARE_MIN) return [];
  return [
    `${dataDir} has ${Math.round(free / 1024 ** 2)} MB free (${Math.round(share * 100)} %). Free some space: a full disk stops all writes.`,
  ];
}

/**
 * The archive of the write-ahead log. A server keeps what it cannot archive until its disk is full. If the folder is
 * missing, the server does not even try, so the age of the oldest waiting file counts.
 */
async function archiveProblems(client: pg.Client): Promise<string[]> {
  const [archive] = await rows<{ isOn: boolean; isFailing: boolean; maySeeFiles: boolean; folder: string | null }>(
    client,
    `select current_setting('archive_mode') <> 'off' as "isOn",
            last_failed_time > coalesce(last_archived_time, '-infinity') as "isFailing",
            has_function_privilege('pg_ls_archive_statusdir()', 'execute') as "maySeeFiles",
            current_setting('basic_archive.archive_directory', true) as folder from pg_stat_archiver`,
  );
  if (!archive?.isOn) return [];
  const [waitingFiles] = archive.maySeeFiles
    ? await rows<{ count: number; minutes: number }>(
        client,
        `select count(*)::int, coalesce(extract(epoch from now() - min(modification)) / 60, 0)::int as minutes
           from pg_ls_archive_statusdir() where name like '%.ready'`,
      )
    : [];
  const isLate = (waitingFiles?.minutes ?? 0) >= ARCHIVE_MINUTES_MAX;
  if (!archive.isFailing && !isLate) return [];
  const target = archive.folder ? ` in ${archive.folder}` : '';
  const files = waitingFiles ? ` ${formatCount(waitingFiles.count, 'file waits', 'files wait')}.` : '';
  return [
    `PostgreSQL cannot archive its write-ahead log${target}, so the log fills its disk.${files} Check that the folder exists, has free space and belongs to the user of PostgreSQL; its log contains the reason.`,
  ];
}

/** The folder of the backups, for the embedded database. */
async function backupProblems(_client: pg.Client, { backupDir }: CheckedInstallation): Promise<string[]> {
  if (!backupDir) return [];
  const names = await readdir(backupDir).catch(() => null);
  if (!names) return [`${backupDir} cannot be read. Mount its disk, or correct STRATA_BACKUP_DIR.`];
  const times = names.flatMap((name) => {
    const [, ...parts] = BACKUP.exec(name) ?? [];
    return parts.length > 0 ? [Date.parse(`${parts.slice(0, 3).join('-')}T${parts.slice(3).join(':')}Z`)] : [];
  });
  const latest = Math.max(...times);
  if (Date.now() - latest <= BACKUP_DAYS_MAX * 86_400_000) return [];
  const lastBackup = times.length > 0 ? `The last backup is of ${date(new Date(latest))}` : 'There is no backup';
  return [`${lastBackup} in ${backupDir}. Run strata backup, for example every night with cron.`];
}

/** The checks in the order of the output. Problems of later parts often follow from problems of earlier ones. */
export const CHECKS: readonly Check[] = [
  { subject: 'PostgreSQL', fine: 'responds and keeps acknowledged changes', problems: serverProblems },
  { subject: 'Connection', fine: `keeps the role ${APPLICATION_ROLE} and its settings`, problems: connectionProblems },
  { subject: 'Account', fine: 'owns nothing', problems: privilegeProblems },
  {
    subject: 'Standbys',
    fine: 'none has a fault',
    problems: (client, { standbyUrls }) => standbyProblems(client, standbyUrls),
  },
  { subject: 'Clock', fine: 'agrees with the database', problems: clockProblems },
  { subject: 'Disk', fine: 'has enough space', problems: diskProblems },
  { subject: 'Archive', fine: 'no file waits', problems: archiveProblems },
  { subject: 'Backups', fine: 'none is overdue', problems: backupProblems },
  { subject: 'Schema', fine: 'is current', problems: schemaProblems },
  { subject: 'Root key', fine: 'is the key of this database', problems: rootKeyProblems },
  { subject: 'Data keys', fine: 'bind secrets to their revision', problems: dataKeyProblems },
  { subject: 'Isolation', fine: 'of organizations is enforced', problems: isolationProblems },
  { subject: 'Indexes', fine: 'are complete', problems: indexProblems },
  { subject: 'Jobs', fine: 'none is stuck or failed', problems: jobProblems },
  { subject: 'API keys', fine: `none expires within ${KEY_DAYS_MIN} days`, problems: keyProblems },
];
