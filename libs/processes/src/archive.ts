// Continuous archiving: PostgreSQL copies each finished segment of its write-ahead log into a folder.
import fs from 'node:fs';
import path from 'node:path';
import { clusterPaths } from './cluster.ts';
import { isReachable } from './postgres-paths.ts';

/** A server finishes a segment after this time if it contains a change, so that a lost disk loses at most this much. */
const ARCHIVE_SECONDS = 60;

/**
 * Returns the settings with which the server of a data directory archives into a folder, and creates the folder. The
 * library of PostgreSQL flushes each copy, renames it when it is complete, and never overwrites another file. It needs
 * no shell. Throws a sentence for the operator if the server cannot use the folder.
 */
export function archiveSettings(dataDir: string, folder: string): Readonly<Record<string, string>> {
  const parent = path.dirname(folder);
  if (!fs.existsSync(parent)) throw new Error(`The folder ${parent} does not exist. Create it, or mount its disk.`);
  const { uid, gid } = clusterPaths(dataDir).identity;
  if (uid !== undefined && !isReachable(parent))
    throw new Error(
      `PostgreSQL runs as another user (id ${uid}) who cannot enter ${parent}. Allow it with chmod o+x on this folder and those above, or choose another folder.`,
    );
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (uid !== undefined && gid !== undefined) fs.chownSync(folder, uid, gid);
  return {
    archive_mode: 'on',
    archive_library: 'basic_archive',
    archive_timeout: String(ARCHIVE_SECONDS),
    'basic_archive.archive_directory': folder,
  };
}
