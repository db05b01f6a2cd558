import path from 'node:path';
import { coreDatabaseUrl, databaseUrl, runningPort } from '@strata/processes';
import { OperatorError } from '../core/secret-settings.ts';
import { readCredentials, rootKeySettings } from './credentials.ts';
import { backupDirectory, dataDirectory, type ProcessEnvironment } from './settings.ts';

/**
 * Adds the settings of the installation that `strata start` runs in the data directory. If DATABASE_URL is set, nothing
 * is added.
 */
export function runningInstallation(env: ProcessEnvironment): ProcessEnvironment {
  if (env.DATABASE_URL) return env;
  const dataDir = dataDirectory(env);
  const port = runningPort(path.join(dataDir, 'postgres'));
  if (port === null)
    throw new OperatorError(
      `DATABASE_URL is not set, and no PostgreSQL runs in ${dataDir}. Set DATABASE_URL, or run \`strata start\` there.`,
    );
  const credentials = readCredentials(dataDir);
  const ownerUrl = databaseUrl(credentials.database_password, port);
  return {
    ...env,
    STRATA_DATA_DIR: dataDir,
    STRATA_BACKUP_DIR: backupDirectory(env) ?? '',
    DATABASE_URL: coreDatabaseUrl(ownerUrl, credentials.core_database_password),
    STRATA_OWNER_DATABASE_URL: ownerUrl,
    ...rootKeySettings(env, credentials),
  };
}
