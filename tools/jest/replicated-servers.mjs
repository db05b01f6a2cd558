// Starts a PostgreSQL with a standby that streams from it. The embedded PostgreSQL has no pg_basebackup, so the files are copied as
// for a backup.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { copyServer, startPostgres } from '../../libs/processes/src/index.ts';

/**
 * A standby receives a commit when it is flushed. Flushing is quick, because `fsync` is off. A standby whose replay is paused
 * continues later, so the primary server keeps the log.
 */
const SETTINGS = { synchronous_commit: 'on', wal_keep_size: '512MB', max_connections: '100' };

/** Starts a primary server. Its data is removed when it ends. */
export async function startPrimary() {
  return startPostgres(serverOptions('primary', 'strata'));
}

/** Starts a standby of a server that `startPrimary` has started. */
export async function startStandby(primary) {
  const options = serverOptions('standby', decodeURIComponent(new URL(primary.url()).password));
  await copyServer(primary.url('postgres'), options.dataDir);
  fs.writeFileSync(path.join(options.dataDir, 'standby.signal'), '');
  takeOver(options.dataDir, fs.statSync(primary.dataDir));
  return startPostgres({ ...options, settings: { ...SETTINGS, primary_conninfo: primary.url('postgres') } });
}

function serverOptions(name, password) {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), `strata-${name}-`));
  // PostgreSQL may run as another user, who must be able to enter the directory.
  fs.chmodSync(directory, 0o711);
  const dataDir = path.join(directory, 'postgres');
  return { dataDir, password, durable: false, settings: SETTINGS, removeOnEnd: directory };
}

/** Gives the copied files to the user who runs PostgreSQL. */
function takeOver(directory, { uid, gid }) {
  fs.chmodSync(directory, 0o700);
  for (const name of ['.', ...fs.readdirSync(directory, { recursive: true })])
    fs.chownSync(path.join(directory, name), uid, gid);
}
