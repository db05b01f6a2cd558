import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { StartError } from '../start-errors.ts';
import type { ConnectionMonitor } from './connection-monitor.ts';
import { ownerDataSource, poolOf } from './data-source.ts';
import type { DatabaseProbe } from './database-probe.ts';
import { migrateQueue } from './job-queue.ts';
import { KNOWN_SCHEMA } from './migrations/index.ts';
import { schemaLineage } from './schema-lineage.ts';

const POSTGRES_VERSION_MIN = 140_000;
/** One migrator at a time in a cluster; the number is arbitrary and only has to be ours. */
const MIGRATION_LOCK = 7_224_110_453;

/** What the service knows about its database as a whole. */
export class Database implements OnApplicationShutdown {
  private readonly logger = new Logger('database');
  private isAhead = false;

  constructor(
    readonly url: string,
    private readonly dataSource: DataSource,
    private readonly probe: DatabaseProbe,
    /** What connections beside those of the pool are to know. */
    readonly monitor: ConnectionMonitor,
  ) {}

  /** Nobody else ends the pool, and an idle connection of it would stay for minutes. Statements that run are waited for. */
  async onApplicationShutdown(): Promise<void> {
    this.probe.close();
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
  }

  /** Throws unless what is answered with success outlasts a crash of the server and of its machine. */
  async assertDurable(): Promise<void> {
    const { rows } = await poolOf(this.dataSource).query<{ name: string }>(
      `select name from pg_settings
        where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off' order by name`,
    );
    if (rows.length === 0) return;
    const off = rows.map(({ name }) => name).join(', ');
    throw new StartError(
      `PostgreSQL would lose changes that were answered with success: ${off} is off. Turn it on. Where nothing may be lost that matters, set STRATA_UNSAFE_DATABASE=true.`,
    );
  }

  /** Returns whether the schema fits and a write would reach the disk. Throws when the database does not answer. */
  async isReady(): Promise<boolean> {
    const [problem, isWritable] = await Promise.all([this.trouble(), this.probe.isWritable()]);
    return problem === null && isWritable;
  }

  /**
   * Null when the database is no standby and its schema is the one that this code was built for, or a later one that serves it.
   * Throws when it does not say.
   */
  async trouble(msMax?: number): Promise<string | null> {
    const { recovery, migrations, servesCoresFrom } = await this.probe.readState(msMax);
    if (recovery) return 'The database is read-only.';
    const lineage = schemaLineage({ migrations: migrations ?? [], servesCoresFrom }, KNOWN_SCHEMA);
    if (lineage.is === 'refused') return lineage.because;
    if (lineage.is === 'ahead' && !this.isAhead) {
      this.logger.warn(`The schema is ahead of this core (${lineage.by.join(', ')}): replace this process soon.`);
    }
    this.isAhead = lineage.is === 'ahead';
    return null;
  }
}

/** Brings the schema up to date. Safe to call from several processes at once, and again after a crash. */
export async function migrate(databaseUrl: string): Promise<void> {
  const owner = await ownerDataSource(databaseUrl).initialize();
  try {
    await assertServerFits(owner);
    const lock = owner.createQueryRunner();
    try {
      // Whoever comes second waits for as long as the first one needs.
      await lock.query('set lock_timeout = 0');
      await lock.query(`select pg_advisory_lock(${MIGRATION_LOCK})`);
      await owner.runMigrations();
      await migrateQueue(databaseUrl, owner);
      await lock.query('grant select on schema_migration to strata_app');
    } finally {
      await lock.query(`select pg_advisory_unlock(${MIGRATION_LOCK})`).catch(() => undefined);
      await lock.release();
    }
  } finally {
    await owner.destroy();
  }
}

async function assertServerFits(owner: DataSource): Promise<void> {
  const [server] = await owner.query<{ version: number }[]>(
    `select current_setting('server_version_num')::int as version`,
  );
  if (!server || server.version < POSTGRES_VERSION_MIN) throw new StartError('PostgreSQL 14 or newer is needed.');
}
