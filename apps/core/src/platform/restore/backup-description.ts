import type pg from 'pg';
import { type DatabaseState, STATE } from '../postgres/database-probe.ts';
import { KNOWN_SCHEMA } from '../postgres/migrations/index.ts';
import { NOT_MIGRATED, schemaLineage } from '../postgres/schema-lineage.ts';
import type { RootKeys } from '../vault/root-key.ts';

/** The description of a database in its backup, so that a restore can check whether this release and this root key fit. */
export interface BackupDescription {
  readonly migrations: readonly string[];
  readonly servesCoresFrom: number | null;
  /** Identifies the root key and reveals nothing else about it. */
  readonly rootKey: string;
}

const fingerprint = (rootKeyId: Buffer): string => rootKeyId.toString('hex');

/** Describes a migrated database. */
export async function describeDatabase(client: pg.Client): Promise<BackupDescription> {
  const { rows } = await client.query<DatabaseState>(STATE);
  const { migrations = null, servesCoresFrom = null, rootKeyId = null } = rows[0] ?? {};
  return { migrations: migrations ?? [], servesCoresFrom, rootKey: rootKeyId ? fingerprint(rootKeyId) : '' };
}

/** Returns why a backup cannot be restored by this release or with this root key; null if it can. */
export function restoreProblem(description: BackupDescription, rootKeys: RootKeys): string | null {
  const installationKey = fingerprint(rootKeys.current.id);
  if (!rootKeys.find(Buffer.from(description.rootKey, 'hex')))
    return `The backup needs the root key with the fingerprint ${description.rootKey}, and this key has the fingerprint ${installationKey}. Set STRATA_ROOT_KEY to the key of the installation that was backed up, or put its credentials.json into the data directory.`;
  const lineage = schemaLineage(description, KNOWN_SCHEMA);
  if (lineage.is !== 'incompatible' || lineage.because === NOT_MIGRATED) return null;
  return `${lineage.because.replace('Start a newer release of the core.', 'Restore it with the release that made it, or a newer one.')}`;
}
