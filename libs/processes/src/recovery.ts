// Creates a data directory from a copy of another one, and lets PostgreSQL replay the write-ahead log in it.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { type Cluster, clusterPaths, completeRestore, openCluster, restoredFolderPath } from './cluster.ts';
import { syncAll, syncFile } from './copied-file.ts';
import { BASIC_SETTINGS, OWNER, runningPort, startPostgres } from './postgres.ts';
import { launchServer, startGuardian } from './postgres-server.ts';
import { isTimelineHistory } from './wal.ts';

export interface RestoreOptions {
  /** The data directory. If it exists, it is moved aside at the end. */
  readonly dataDir: string;
  /** The password that the owner gets. */
  readonly password: string;
  /** The instant whose state is restored; by default the end of the log. */
  readonly until?: string | undefined;
  /** Copies the files of a backup, and the log after it, into an empty folder. */
  readonly fill: (folder: string) => Promise<void>;
  /** Inspects the restored server. If it throws, the restored files are removed and the data directory stays. */
  readonly inspect: (restored: { readonly url: string; readonly walEnd: string }) => Promise<void>;
}

/**
 * Restores a data directory from a backup. Everything happens in a folder beside it, which replaces it only when the
 * restored server passes the inspection. Returns where the previous files are now; null if there were none.
 */
export async function restorePostgres(options: RestoreOptions): Promise<string | null> {
  const { dataDir, identity } = clusterPaths(options.dataDir);
  if (runningPort(options.dataDir) !== null) throw new Error(`A PostgreSQL runs on ${dataDir}. Stop it first.`);
  completeRestore(dataDir);
  removeRemains(dataDir);
  const draft = fs.mkdtempSync(`${dataDir}.restoring-`);
  try {
    await options.fill(draft);
    fs.writeFileSync(path.join(draft, 'recovery.signal'), '', { mode: 0o600 });
    if (identity.uid !== undefined && identity.gid !== undefined) changeOwner(draft, identity.uid, identity.gid);
    // PostgreSQL flushes one file after the other, which takes several times as long unless they are on disk.
    await syncAll(draft);
    const cluster = openCluster(draft);
    await replay(cluster, options.until);
    setPassword(cluster, options.password);
    const server = await startPostgres({ dataDir: draft, password: options.password, settings: KEEP_LOG });
    await options.inspect({ url: server.url(), walEnd: walEnd(draft) }).finally(() => server.stop());
    return await replace(dataDir, draft);
  } finally {
    removeRemains(dataDir);
  }
}

/** Removes the folders and logs of this restore, or of one that was killed. */
function removeRemains(dataDir: string): void {
  fs.rmSync(restoredFolderPath(dataDir), { recursive: true, force: true });
  const [parent, prefix] = [path.dirname(dataDir), `${path.basename(dataDir)}.restoring-`];
  for (const name of fs.readdirSync(parent))
    if (name.startsWith(prefix)) fs.rmSync(path.join(parent, name), { recursive: true, force: true });
}

function changeOwner(folder: string, uid: number, gid: number): void {
  for (const name of ['.', ...fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })])
    fs.chownSync(path.join(folder, name), uid, gid);
}

/** The server archives nothing, but keeps the log and the history of its new timeline for the next start with an archive. */
const KEEP_LOG = { archive_mode: 'on' };

/** Runs the server until it has replayed the log. The log is in its own folder, so the command that fetches it finds nothing. */
async function replay(cluster: Cluster, until: string | undefined): Promise<void> {
  const flags: (readonly [string, string])[] = [
    ...BASIC_SETTINGS,
    ['restore_command', 'exit 1'],
    ['recovery_target_action', 'promote'],
    ['hot_standby', 'off'],
    ...Object.entries(KEEP_LOG),
    // The server reads its arguments before it knows the name Z of a time zone.
    ...(until === undefined ? [] : [['recovery_target_time', until.replace('Z', '+00')] as const]),
  ];
  const { child } = await launchServer(cluster, flags);
  const guardian = startGuardian(child.pid ?? 0, true, undefined);
  const whenEnded = once(child, 'exit');
  child.kill('SIGINT');
  await whenEnded;
  guardian.kill('SIGKILL');
}

/** Sets the password without a connection, which would need the previous one. */
function setPassword({ native, dataDir, spawnOptions }: Cluster, password: string): void {
  const flags = [...BASIC_SETTINGS, ...Object.entries(KEEP_LOG)].flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const { status, stderr } = spawnSync(
    path.join(native, 'bin', 'postgres'),
    ['--single', '-D', dataDir, ...flags, 'postgres'],
    {
      ...spawnOptions,
      encoding: 'utf8',
      input: `alter role ${OWNER} password '${password.replaceAll("'", "''")}'\n`,
      stdio: ['pipe', 'ignore', 'pipe'],
    },
  );
  if (status !== 0) throw new Error(`The password of the restored database could not be set: ${stderr.trim()}`);
}

/** Returns the end of the replayed log, where the new timeline began. */
function walEnd(dataDir: string): string {
  const wal = path.join(dataDir, 'pg_wal');
  const latest = fs.readdirSync(wal).filter(isTimelineHistory).sort().at(-1) ?? '';
  const lines = fs.readFileSync(path.join(wal, latest), 'utf8').trim().split('\n');
  return lines.at(-1)?.split('\t')[1] ?? '';
}

/** If the process is killed in between, the next start finds the restored database, or the previous one. */
async function replace(dataDir: string, draft: string): Promise<string | null> {
  const stamp = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const asideDir = fs.existsSync(dataDir) ? `${dataDir}.before-restore-${stamp}` : null;
  fs.renameSync(draft, restoredFolderPath(dataDir));
  if (asideDir) fs.renameSync(dataDir, asideDir);
  completeRestore(dataDir);
  await syncFile(path.dirname(dataDir));
  return asideDir;
}
