import fs from 'node:fs';
import path from 'node:path';
import { RELEASE } from '@strata/domain';
import { copyServer, databaseUrl, runningPort, startPostgres } from '@strata/processes';
import { OperatorError, withSecrets } from '../core/secret-settings.ts';
import { databaseArchiveSettings } from '../start/archive.ts';
import { type InstallationRootKeys, readCredentials, rootKeySettings } from '../start/credentials.ts';
import { claimDataDirectory } from '../start/data-directory.ts';
import { backupDirectory, dataDirectory, type ProcessEnvironment } from '../start/settings.ts';
import { BackupFolder, type Manifest } from './backup-folder.ts';
import { runCore } from './core-command.ts';
import { formatElapsedSeconds, formatMegabytes } from './units.ts';

const GUIDE = 'docs/guides/back-up-and-restore.md';

/** Copies the embedded database into a folder, while Strata runs or not. Keeps the given number of backups; all by default. */
export async function backUp({ to, keep }: { readonly to?: string; readonly keep?: number }): Promise<void> {
  const startedAt = Date.now();
  const env = withSecrets(process.env);
  if (env.DATABASE_URL)
    throw new OperatorError(
      `\`strata backup\` copies the embedded database of \`strata start\`, and DATABASE_URL is set. Back up your PostgreSQL with its own tools: see ${GUIDE}.`,
    );
  const folder = openFolder(to, '--to', env);
  const { name, manifest } = await withDatabase(env, (url, rootKeys) =>
    folder.add((files) => copied(url, rootKeys, files)),
  );
  const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
  console.log(
    `${path.join(folder.path, name)} is complete: ${formatMegabytes(bytes)} in ${formatElapsedSeconds(startedAt)}`,
  );
  const source = env.STRATA_ROOT_KEY ? 'STRATA_ROOT_KEY' : path.join(dataDirectory(env), 'credentials.json');
  console.log(
    `It does not contain the root key, which has the fingerprint ${manifest.database.rootKey}. Without that key, no secret can be read: store a copy of ${source} elsewhere.`,
  );
  const removedBackups = keep === undefined ? [] : folder.prune(keep);
  if (removedBackups.length > 0) console.log(`Removed ${removedBackups.join(', ')}`);
}

/** Returns the folder of an option, or else of the setting. */
export function openFolder(chosenFolder: string | undefined, option: string, env: ProcessEnvironment): BackupFolder {
  const folder = chosenFolder === undefined ? backupDirectory(env) : path.resolve(chosenFolder);
  if (folder === null)
    throw new OperatorError(`Name the folder of the backups: ${option} FOLDER, or STRATA_BACKUP_DIR.`);
  return BackupFolder.open(folder);
}

/** Calls `use` with the database of the data directory. Starts its server for that time if it does not run. */
async function withDatabase<Result>(
  env: ProcessEnvironment,
  use: (url: string, rootKeys: InstallationRootKeys) => Promise<Result>,
): Promise<Result> {
  const dataDir = dataDirectory(env);
  if (!fs.existsSync(path.join(dataDir, 'credentials.json')))
    throw new OperatorError(
      `There is no installation in ${dataDir}. Run this in the folder of \`strata start\`, or set STRATA_DATA_DIR.`,
    );
  const credentials = readCredentials(dataDir);
  const [password, rootKeys] = [credentials.database_password, rootKeySettings(env, credentials)];
  const postgres = path.join(dataDir, 'postgres');
  const port = runningPort(postgres);
  if (port !== null) return use(databaseUrl(password, port), rootKeys);
  await claimDataDirectory(dataDir, console.log);
  const server = await startPostgres({ dataDir: postgres, password, settings: databaseArchiveSettings(dataDir, env) });
  return use(server.url(), rootKeys).finally(() => server.stop());
}

async function copied(url: string, rootKeys: InstallationRootKeys, files: string): Promise<Manifest> {
  const { code, stdout, stderr } = await runCore(['describe-database'], {
    DATABASE_URL: url,
    ...rootKeys,
  });
  if (code !== 0) throw new OperatorError(stderr.trim(), 1);
  const database = JSON.parse(stdout) as Manifest['database'];
  try {
    return { format: 1, ...RELEASE, database, ...(await copyServer(url, files)) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    throw new OperatorError(
      `The disk of ${files} is full. Free some space, for example with --keep. Nothing was changed.`,
      1,
    );
  }
}
