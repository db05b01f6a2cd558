import fs from 'node:fs';
import path from 'node:path';
import {
  clusterPaths,
  copyFile,
  parseSegmentNumber,
  readEmbeddedMajor,
  restorePostgres,
  segmentNumber,
} from '@strata/processes';
import { OperatorError, withSecrets } from '../core/secret-settings.ts';
import { type InstallationRootKeys, readCredentials, rootKeySettings } from '../start/credentials.ts';
import { claimDataDirectory, openDataDirectory } from '../start/data-directory.ts';
import { dataDirectory, type ProcessEnvironment } from '../start/settings.ts';
import { Archive, type LogAfterBackup } from './archived-log.ts';
import { openFolder } from './back-up.ts';
import type { Backup, BackupFolder, Manifest } from './backup-folder.ts';
import { runCore } from './core-command.ts';
import { formatElapsedSeconds, formatMegabytes } from './units.ts';

interface RestoreOptions {
  readonly from?: string;
  /** The instant whose state is restored; by default the end of the archive. */
  readonly to?: string;
  /** Whether to move an existing database aside. */
  readonly replace?: boolean;
}

/** A backup, and the log to replay. */
interface Source {
  readonly backup: Backup;
  /** The folder of the archived log. */
  readonly archive: string;
  readonly log: LogAfterBackup;
  readonly until: string | undefined;
}

/** Restores the embedded database, with a new epoch. Until it has been checked, the present database stays as it is. */
export async function restore({ from, to, replace = false }: RestoreOptions): Promise<void> {
  const startedAt = Date.now();
  const env = withSecrets(process.env);
  if (env.DATABASE_URL)
    throw new OperatorError(
      '`strata restore` restores the embedded database of `strata start`, and DATABASE_URL is set. Restore your PostgreSQL with its own tools, then run `strata after-restore`: see docs/guides/back-up-and-restore.md.',
    );
  const [folder, until, dataDir] = [openFolder(from, '--from', env), instant(to), dataDirectory(env)];
  openDataDirectory(dataDir);
  await claimDataDirectory(dataDir, console.log);
  const source = selectSource(folder, until);
  const rootKeys = readRootKeys(env, dataDir, source.backup.manifest);
  const postgres = path.join(dataDir, 'postgres');
  const target = clusterPaths(postgres).dataDir;
  if (fs.existsSync(target) && !replace)
    throw new OperatorError(`${target} contains a database. Add --replace to move it aside and restore in its place.`);
  await assertFits(source.backup.manifest, rootKeys);
  assertRoom(source, path.dirname(target));

  const { name } = source.backup;
  console.log(`Restoring ${name} and ${source.log.names.length} archived files of the log …`);
  const previousFolder = await restorePostgres({
    dataDir: postgres,
    password: readCredentials(dataDir).database_password,
    until: source.until,
    fill: (folder) => fill(folder, source),
    inspect: (restoredFolder) => inspect(restoredFolder, source, rootKeys),
  }).catch((error: Error) => {
    throw explainError(error, source);
  });
  // The next start migrates, in case the backup is of an older release.
  fs.rmSync(path.join(dataDir, 'migrated'), { force: true });
  console.log(`Restored in ${formatElapsedSeconds(startedAt)}. Run \`strata start\` with the same root key.`);
  if (previousFolder)
    console.log(`The previous database is in ${previousFolder}. Delete it when you no longer need it.`);
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)$/;

function instant(text: string | undefined): string | undefined {
  if (text === undefined || (INSTANT.test(text) && !Number.isNaN(Date.parse(text)))) return text;
  throw new OperatorError('--to must be an instant with its time zone, such as 2026-11-25T10:00:00Z.');
}

/** Selects the latest backup that was complete at the instant. */
function selectSource(folder: BackupFolder, until: string | undefined): Source {
  const backups = folder.backups();
  const [oldest] = backups;
  if (!oldest)
    throw new OperatorError(
      `${folder.path} contains no complete backup. A folder whose name ends with .partial is a backup that was interrupted.`,
    );
  const at = until === undefined ? Infinity : Date.parse(until);
  const archive = new Archive(folder.wal);
  const usableBackups = backups.filter(({ manifest }) => archive.continues(manifest));
  const backup = usableBackups.findLast(({ manifest }) => Date.parse(manifest.completedAt) <= at);
  if (!backup)
    throw new OperatorError(
      `The oldest backup was complete at ${(usableBackups[0] ?? oldest).manifest.completedAt}. Choose this instant or a later one.`,
    );
  // A later backup began after the instant, so the log up to there is sufficient.
  const next = usableBackups.find(({ manifest }) => Date.parse(manifest.startedAt) > at)?.manifest;
  const log = archive.after(backup.manifest, next && segmentNumber(next.firstSegment, next.walSegmentBytes));
  if (log.problem && until === undefined)
    throw new OperatorError(
      `${log.problem}, so the log after it cannot be used. Copy the file again if you can. To restore what precedes it, add --to with an earlier instant.`,
      1,
    );
  return { backup, archive: folder.wal, log, until };
}

/** Returns the root keys. Never creates one, because it would not be the key of the backup. */
function readRootKeys(env: ProcessEnvironment, dataDir: string, { database }: Manifest): InstallationRootKeys {
  if (fs.existsSync(path.join(dataDir, 'credentials.json'))) return rootKeySettings(env, readCredentials(dataDir));
  const { STRATA_ROOT_KEY, STRATA_PREVIOUS_ROOT_KEY } = env;
  if (STRATA_ROOT_KEY) return { STRATA_ROOT_KEY, STRATA_PREVIOUS_ROOT_KEY };
  throw new OperatorError(
    `The backup contains no root key. Put the credentials.json of its installation into ${dataDir}, or set STRATA_ROOT_KEY to the key with the fingerprint ${database.rootKey}.`,
  );
}

/** Throws unless this release and this root key can use the backup. */
async function assertFits({ postgresql, version, database }: Manifest, rootKeys: InstallationRootKeys): Promise<void> {
  const [major, embedded] = [Math.floor(postgresql / 10_000), readEmbeddedMajor()];
  if (major !== embedded)
    throw new OperatorError(
      `The backup is of PostgreSQL ${major}, and this release contains PostgreSQL ${embedded}. Restore it with the release that made it (${version}).`,
    );
  const { code, stdout, stderr } = await runCore(['check-backup', JSON.stringify(database)], rootKeys);
  if (code !== 0) throw new OperatorError(stdout || stderr.trim());
}

function assertRoom({ backup, log }: Source, parent: string): void {
  const neededBytes = backup.manifest.files.reduce((sum, { bytes }) => sum + bytes, log.bytes);
  const { bavail, bsize } = fs.statfsSync(parent);
  if (bavail * bsize > neededBytes) return;
  throw new OperatorError(
    `${parent} has ${formatMegabytes(bavail * bsize)} free, and the restore needs ${formatMegabytes(neededBytes)}. Free some space, or set STRATA_DATA_DIR to another disk.`,
    1,
  );
}

/** Copies the backup and compares each file with its checksum, then copies the log. */
async function fill(folder: string, { backup, archive, log }: Source): Promise<void> {
  const { folders, files } = backup.manifest;
  for (const name of folders) fs.mkdirSync(path.join(folder, name), { recursive: true, mode: 0o700 });
  for (const { path: name, bytes, sha256 } of files) {
    const from = path.join(backup.files, name);
    const copy = await copyFile(from, path.join(folder, name)).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? damaged(from) : error;
    });
    if (copy.bytes !== bytes || copy.sha256 !== sha256) throw damaged(from);
  }
  for (const name of log.names) {
    const to = path.join(folder, 'pg_wal', name);
    if (!fs.existsSync(to)) await copyFile(path.join(archive, name), to);
  }
}

const damaged = (file: string) =>
  new OperatorError(`${file} is missing or damaged: its checksum differs. Use another backup. Nothing was changed.`, 1);

async function inspect(
  { url, walEnd }: { readonly url: string; readonly walEnd: string },
  { backup, log, until }: Source,
  rootKeys: InstallationRootKeys,
): Promise<void> {
  // The last archived segment is complete, so the log ends with the first byte after it.
  const end = parseSegmentNumber(walEnd, backup.manifest.walSegmentBytes);
  if (until === undefined && end <= log.last)
    throw new OperatorError(
      `The archived log is damaged: it can be read up to ${walEnd} only, and continues after that. To restore what precedes it, add --to with an earlier instant. Nothing was changed.`,
      1,
    );
  const { code, stdout, stderr } = await runCore(['after-restore'], { DATABASE_URL: url, ...rootKeys });
  if (code !== 0) throw new OperatorError(`${stdout}${stderr}Nothing was changed.`, 1);
  console.log(stdout);
}

/** Returns an error of the file system or of PostgreSQL as a sentence for the operator. */
function explainError(error: Error, { log, until }: Source): Error {
  if (error instanceof OperatorError) return error;
  const { message } = error;
  if ((error as NodeJS.ErrnoException).code === 'ENOSPC' || /No space left on device/.test(message))
    return new OperatorError('The disk is full. Free some space. Nothing was changed.', 1);
  if (/recovery ended before configured recovery target was reached/.test(message)) {
    const lastTransactionTime = /last completed transaction was at log time (.+)/.exec(message)?.[1];
    const reason = log.problem ? ` ${log.problem}.` : '';
    return new OperatorError(
      `The archived log ends before ${until}${lastTransactionTime ? `; its last change is of ${lastTransactionTime}` : ''}.${reason} Choose an earlier instant, or leave out --to to restore the end. Nothing was changed.`,
      1,
    );
  }
  // The log is in a folder that was removed. Other classes of errors are bugs.
  if (error.constructor !== Error) return error;
  return new OperatorError(`${message.replace(/\nLog: .*$/, '')}\nNothing was changed.`, 1);
}
