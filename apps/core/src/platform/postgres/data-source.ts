import pg from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { POOL_SIZE } from '../limits/pool-size.ts';
import type { ConnectionMonitor } from './connection-monitor.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { ObservedPool } from './observed-pool.ts';
import { PreparedClient, type PreparedConfig } from './prepared-client.ts';
import { APPLICATION_ROLE, OWNER_ROLE, openSession } from './session.ts';
import { acrossOrganizations, type TenantTokens } from './tenants.ts';
import { VERSIONED_ENTITIES } from './versioned-entity.ts';

const TYPE_INT8 = 20;
const TYPE_TIMESTAMPTZ = 1184;

/**
 * Converts `2026-11-20 10:00:00.5+00` to `2026-11-20T10:00:00.500000Z`. Timestamps are text from SQL to the response.
 */
export function wireTimestamp(text: string): string {
  const [instant = '', fraction = ''] = text.replace(/\+00(:00)?$/, '').split('.');
  return `${instant.replace(' ', 'T')}.${fraction.padEnd(6, '0')}Z`;
}

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === TYPE_TIMESTAMPTZ) return wireTimestamp;
    if (oid === TYPE_INT8) return Number;
    return format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : pg.types.getTypeParser(oid, 'text');
  },
};

/** The server ends transactions and statements after a timeout, so a stuck one cannot lock an organization for ever. */
const TIMEOUTS = { idle_in_transaction_session_timeout: '10s', lock_timeout: '5s' };

/**
 * Our statements find few rows by key, whatever the parameters are, so one plan suits all of them. Planning costs more
 * than running them, and compiling a plan to machine code would cost a hundred times as much. A plan that was made
 * while a table was small must still suit it when the table has grown, so plans may not scan a whole table that has an
 * index.
 */
const PLANNING = { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off', jit: 'off' };

/** A dead peer of an idle connection is detected after this time; the default of the operating system is two hours. */
const SOCKET_IDLE_MS_MAX = 10_000;

/**
 * Returns the time limit of a statement. The server ends the statement then. If the client gets no error within one
 * more second, it closes the connection.
 */
export function timeBound(seconds: number): { readonly statementTimeout: string; readonly responseMsMax: number } {
  return { statementTimeout: `${seconds}s`, responseMsMax: (seconds + 1) * 1_000 };
}

/** A pooled connection has its plans cached. Opening a new one costs as much as a hundred requests. */
const IDLE_MS_MAX = 600_000;

export interface PoolOptions {
  readonly poolSize?: number;
  readonly monitor: ConnectionMonitor;
  readonly timeoutSeconds: number;
  readonly tenantTokens: TenantTokens;
  /** The name of the connections in PostgreSQL. */
  readonly applicationName?: string;
  /** Runs on each new connection before it is used. If it fails, the connection is not used. */
  readonly verify: (client: pg.ClientBase) => Promise<void>;
}

export interface ConnectionOptions extends PoolOptions {
  readonly databaseUrl: string;
  /** The entities of the tables that are not versioned. */
  readonly entities: readonly (new () => object)[];
  readonly onPoolError?: (error: unknown) => void;
}

/** Returns the options of a pool whose connections have the rights of the application role only. */
function poolOptions({ poolSize = POOL_SIZE, monitor, tenantTokens, verify, ...options }: PoolOptions) {
  const { statementTimeout, responseMsMax } = timeBound(options.timeoutSeconds);
  const names = { application_name: options.applicationName ?? 'strata' };
  const settings = { statement_timeout: statementTimeout, ...names, ...TIMEOUTS, ...PLANNING };
  return {
    max: poolSize,
    connectionTimeoutMillis: 2_000,
    idleTimeoutMillis: IDLE_MS_MAX,
    keepAlive: true,
    keepAliveInitialDelayMillis: SOCKET_IDLE_MS_MAX,
    onConnect: async (client) => {
      await openSession(client, APPLICATION_ROLE, settings);
      // The request that happens to open the connection is not the only one that it will serve.
      await acrossOrganizations(() => verify(client));
    },
    types,
    Client: PreparedClient,
    monitor,
    tenantTokens,
    responseMsMax,
  } satisfies pg.PoolConfig & PreparedConfig & { readonly Client: unknown };
}

/** Creates the pool of the running service. */
export function applicationDataSource({
  databaseUrl,
  entities,
  onPoolError,
  ...options
}: ConnectionOptions): DataSource {
  return new DataSource({
    type: 'postgres',
    driver: { ...pg, Pool: ObservedPool },
    url: databaseUrl,
    entities: [...VERSIONED_ENTITIES, ...entities],
    poolErrorHandler: onPoolError ?? (() => undefined),
    extra: poolOptions(options),
  });
}

/** Creates a pool of connections to a standby. A standby that accepts no connection in this time is not used. */
export function standbyPool(connectionString: string, connectMsMax: number, options: PoolOptions): pg.Pool {
  const pool = new pg.Pool({ ...poolOptions(options), connectionString, connectionTimeoutMillis: connectMsMax });
  // A lost connection also fails its statements. Without these listeners, the process would end.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Creates a single connection as the owner of the schema, for migrations only. */
export function ownerDataSource(databaseUrl: string): DataSource {
  return new DataSource({
    type: 'postgres',
    driver: pg,
    url: databaseUrl,
    migrations: [...MIGRATIONS],
    migrationsTableName: 'schema_migration',
    migrationsTransactionMode: 'each',
    poolErrorHandler: () => undefined,
    extra: {
      max: 2,
      connectionTimeoutMillis: 5_000,
      onConnect: (client) => openSession(client, OWNER_ROLE, { lock_timeout: '2s' }),
      types,
    } satisfies pg.PoolConfig,
  });
}

/** Returns the pg pool that TypeORM uses, for statements that need no entity. Nothing else reads properties of the driver. */
export function poolOf(dataSource: DataSource): pg.Pool {
  return (dataSource.driver as PostgresDriver).master;
}
