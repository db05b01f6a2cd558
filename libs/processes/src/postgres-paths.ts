// Chooses the directories of the embedded PostgreSQL. PostgreSQL does not run as root, and the user it runs as instead
// must be able to reach its programs and its data. If that is impossible (a clone in /root), both move to a directory
// that this user can reach.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** The user as which PostgreSQL runs; empty if it is the user of this process. */
export interface SystemUser {
  readonly uid?: number;
  readonly gid?: number;
}

/** Returns the data directory to use for the requested one, and the log beside it. Creates its parent directory. */
export function chooseHome(requestedDir: string, identity: SystemUser): { dataDir: string; logFile: string } {
  const parent = path.dirname(requestedDir);
  fs.mkdirSync(parent, { recursive: true, mode: 0o755 });
  const stays = identity.uid === undefined || fs.existsSync(requestedDir) || isReachable(parent);
  const actualDir = stays ? requestedDir : path.join(movedHome(requestedDir), 'postgres');
  return { dataDir: actualDir, logFile: `${actualDir}.log` };
}

/**
 * Returns the directory with bin/, lib/ and share/: the package's own, or a copy in `beside` that `identity` can reach.
 */
export function chooseNativeFolder(packageDir: string, siblingDir: string, identity: SystemUser): string {
  linkLibraries(packageDir);
  const native = path.join(packageDir, 'native');
  if (identity.uid === undefined || isReachable(native)) return native;
  const { version } = JSON.parse(fs.readFileSync(path.join(packageDir, 'package.json'), 'utf8')) as { version: string };
  const copy = path.join(siblingDir, `postgres-programs-${version}`);
  const completeMarker = path.join(copy, '.complete');
  if (isOurs(copy) && fs.existsSync(completeMarker)) return copy;
  fs.rmSync(copy, { recursive: true, force: true });
  fs.mkdirSync(copy, { mode: 0o755 });
  fs.chmodSync(copy, 0o755);
  fs.cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  fs.writeFileSync(completeMarker, '');
  return copy;
}

/** Returns whether every user can reach a directory. */
export function isReachable(directory: string): boolean {
  for (let at = fs.realpathSync(directory); ; at = path.dirname(at)) {
    if (!(fs.statSync(at).mode & 0o001)) return false;
    if (at === path.dirname(at)) return true;
  }
}

/**
 * Returns a directory of ours in another location. A file beside the requested directory records it for the next start.
 */
function movedHome(requestedDir: string): string {
  const note = `${requestedDir}.moved-to`;
  if (fs.existsSync(note)) {
    const recordedDir = fs.readFileSync(note, 'utf8').trim();
    if (isOurs(recordedDir) && isReachable(recordedDir)) return recordedDir;
    throw new Error(
      `${note} says that the database is in ${recordedDir}, which is not there or not root's own. Remove the note to start afresh.`,
    );
  }
  // Root's own directory comes first, because directories for temporary files are cleaned up now and then.
  const base = ['/var/lib', '/var/tmp'].find(isUsable) ?? os.tmpdir();
  const createdDir = fs.mkdtempSync(path.join(base, 'strata-'));
  fs.chmodSync(createdDir, 0o755);
  fs.writeFileSync(note, `${createdDir}\n`, { mode: 0o600 });
  return createdDir;
}

function isUsable(directory: string): boolean {
  try {
    fs.accessSync(directory, fs.constants.W_OK);
    return isReachable(directory);
  } catch {
    return false;
  }
}

/**
 * Returns whether root owns the directory and no other user can write to it. Any other directory may have been planted
 * by an attacker.
 */
function isOurs(directory: string): boolean {
  const stats = fs.lstatSync(directory, { throwIfNoEntry: false });
  return Boolean(stats?.isDirectory() && stats.uid === 0 && !(stats.mode & 0o022));
}

/** Creates the short names of the libraries. The package's install script does this, but not under --ignore-scripts. */
function linkLibraries(packageDir: string): void {
  const list = path.join(packageDir, 'native', 'pg-symlinks.json');
  if (!fs.existsSync(list)) return;
  const links = JSON.parse(fs.readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = path.join(packageDir, target);
    if (fs.lstatSync(link, { throwIfNoEntry: false })) continue;
    try {
      fs.symlinkSync(path.relative(path.dirname(link), path.join(packageDir, source)), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
