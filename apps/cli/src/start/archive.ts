import path from 'node:path';
import { archiveSettings } from '@strata/processes';
import { OperatorError } from '../core/secret-settings.ts';
import { backupDirectory, type ProcessEnvironment } from './settings.ts';

/** The folder of the archived write-ahead log, beside the backups. */
export const WAL_FOLDER = 'wal';

/** Returns the settings with which the embedded PostgreSQL archives; none if there is no folder for backups. */
export function databaseArchiveSettings(dataDir: string, env: ProcessEnvironment): Readonly<Record<string, string>> {
  const folder = backupDirectory(env);
  if (folder === null) return {};
  try {
    return archiveSettings(path.join(dataDir, 'postgres'), path.join(folder, WAL_FOLDER));
  } catch (error) {
    throw new OperatorError(`STRATA_BACKUP_DIR: ${(error as Error).message}`);
  }
}
