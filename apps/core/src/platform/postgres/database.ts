import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { OTHER_ROOT_KEY, StartError } from '../start-errors.ts';
import type { RootKeys } from '../vault/root-key.ts';
import { prepareServiceKeys } from '../vault/service-keys.ts';
import type { ConnectionMonitor } from './connection-monitor.ts';
import { ownerDataSource, poolOf } from './data-source.ts';
import type { DatabaseProbe } from './database-probe.ts';
import { describeWrongEncoding, readUnsafeSettings } from './durability.ts';
import { migrateQueue } from './job-queue.ts';
import { KNOWN_SCHEMA } from './migrations/index.ts';
import { enforceRowSecurity, prepareRowSecurity } from './row-security.ts';
import { schemaLineage } from './schema-lineage.ts';
import { prepareServiceAccount, privilegeProblem } from './service-account.ts';
import { APPLICATION_ROLE, assertKeepsSessions, roleLostError } from './session.ts';

const POSTGRES_VERSION_MIN = 140_000;
/**
 * The advisory lock that only one migration in a cluster can hold. The number is arbitrary but must be unique to
 * Strata.
 */
const MIGRATION_LOCK = 7_224_110_453;

/** Checks and migrates the database, and closes its pool at shutdown. */
export class Database implements OnApplicationShutdown {
  private readonly logger = new Logger('database');
  private isAhead = false;

  constructor(
    readonly url: string,
    private readonly dataSource: DataSource,
    private readonly probe: DatabaseProbe,
    /** The monitor for connections outside of the pool. */
    readonly monitor: ConnectionMonitor,
    private readonly rootKeys: RootKeys,
  ) {}

  /** Ends the pool, because an idle connection would otherwise stay open for minutes. Waits for running statements. */
  async onApplicationShutdown(): Promise<void> {
    this.probe.close();
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
  }

  /** Throws unless every acknowledged write survives a crash of the server and of its machine. */
  async assertDurable(): Promise<void> {
    const disabledSettings = await readUnsafeSettings(poolOf(this.dataSource));
    if (disabledSettings.length === 0) return;
    throw new StartError(
      `PostgreSQL could lose committed changes: ${disabledSettings.join(', ')} is off. Turn it on. If the data does not matter, set STRATA_UNSAFE_DATABASE=true.`,
    );
  }

  /** Returns what an attacker could do with the account of the core, or null. */
  privilegeProblem(): Promise<string | null> {
    return privilegeProblem(poolOf(this.dataSource));
  }

  /** Returns whether the schema fits and a write would reach the disk. Throws if the database does not respond. */
  async isReady(): Promise<boolean> {
    const [problem, isWritable] = await Promise.all([this.trouble(), this.probe.isWritable()]);
    return problem === null && isWritable;
  }

  /**
   * Returns why the core cannot use the database, or null. The core requires a primary server, and either its own
   * schema or a later one that still supports it. Throws if the database does not respond.
   */
  async trouble(msMax?: number): Promise<string | null> {
    const { currentUser, recovery, migrations, servesCoresFrom, rootKeyId } = await this.probe.readState(msMax);
    if (currentUser !== APPLICATION_ROLE) return roleLostError().message;
    if (recovery) return 'The database is read-only.';
    const lineage = schemaLineage({ migrations: migrations ?? [], servesCoresFrom }, KNOWN_SCHEMA);
    if (lineage.is === 'incompatible') return lineage.because;
    if (lineage.is === 'ahead' && !this.isAhead) {
      this.logger.warn(`The schema is ahead of this core (${lineage.by.join(', ')}): replace this process soon.`);
    }
    this.isAhead = lineage.is === 'ahead';
    return rootKeyId && !this.rootKeys.find(rootKeyId) ? OTHER_ROOT_KEY : null;
  }
}

export interface MigrationSettings {
  /** The address of the core. */
  readonly databaseUrl: string;
  readonly ownerUrl: string;
  readonly rootKeys: RootKeys;
  /** Whether no core of an earlier release runs, so that row-level security can be enforced. */
  readonly isEnforced: boolean;
}

/**
 * Brings the schema up to date as its owner, and prepares the account of the core. Several processes may run it at
 * once, and you can run it again after a crash.
 */
export async function migrate({ databaseUrl, ownerUrl, rootKeys, isEnforced }: MigrationSettings): Promise<void> {
  await assertKeepsSessions(ownerUrl);
  const owner = await ownerDataSource(ownerUrl).initialize();
  try {
    await assertServerFits(owner);
    const lock = owner.createQueryRunner();
    try {
      // A second migration waits for as long as the first one needs.
      await lock.query('set lock_timeout = 0');
      await lock.query(`select pg_advisory_lock(${MIGRATION_LOCK})`);
      await owner.runMigrations();
      await migrateQueue(ownerUrl, owner);
      await lock.query('grant select on schema_migration to strata_app');
      await prepareServiceAccount(owner, databaseUrl);
      await prepareRowSecurity(owner, await prepareServiceKeys(owner, rootKeys));
      const [{ isNew }] = await lock.query('select not exists (select from organization) as "isNew"');
      await enforceRowSecurity(owner, isNew || isEnforced);
    } finally {
      await lock.query(`select pg_advisory_unlock(${MIGRATION_LOCK})`).catch(() => undefined);
      await lock.release();
    }
  } finally {
    await owner.destroy();
  }
}

async function assertServerFits(owner: DataSource): Promise<void> {
  const [server] = await owner.query<{ version: number; encoding: string }[]>(
    `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding`,
  );
  if (!server || server.version < POSTGRES_VERSION_MIN) throw new StartError('PostgreSQL 14 or newer is required.');
  if (server.encoding !== 'UTF8') throw new StartError(describeWrongEncoding(server.encoding));
}
