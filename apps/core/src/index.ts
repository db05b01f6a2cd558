import 'reflect-metadata';
import { ConsoleLogger, Logger, type LoggerService, type LogLevel, RequestMethod } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Telemetry } from '@strata/telemetry';
import { AppModule } from './app.module.ts';
import { Bootstrap } from './features/identity/bootstrap.ts';
import type { Env } from './platform/env.ts';
import { HealthController } from './platform/http/health.controller.ts';
import { setEntityTagKey } from './platform/http/request.ts';
import { addRequestStages } from './platform/http/request-stages.ts';
import { createAdapter, type ShutdownState } from './platform/http/server.ts';
import { Database, migrate as migrateSchema } from './platform/postgres/database.ts';
import { assertKeepsSessions } from './platform/postgres/session.ts';
import { waitForDatabase } from './platform/postgres/wait-for-database.ts';
import { StartError, startErrorMessage } from './platform/start-errors.ts';
import { readRootKeys } from './platform/vault/root-key.ts';
import { ServiceKeys } from './platform/vault/service-keys.ts';
import { observeApplication, startCoreTelemetry, stopCoreTelemetry } from './telemetry/telemetry.ts';

export { type Env, type EnvSetting, publicAddress, readEnv, SETTINGS, SettingsError } from './platform/env.ts';
export { servedRoutes } from './platform/http/routes.ts';
export { runOperatorCommand } from './platform/operator-commands.ts';
export { redirectOutputToLogger } from './platform/output.ts';
export { StartError, startErrorMessage } from './platform/start-errors.ts';

/** The routes outside of `/api/v1/`. */
const UNVERSIONED = [
  ...['healthz', 'readyz', 'api/healthz', 'api/readyz', 'api/schema', 'api/docs', 'api/docs/:file'],
  ...['.well-known/jwks.json', 'api/.well-known/jwks.json'],
];

/** The time that a start waits for PostgreSQL. After that, the process ends and its supervisor restarts it. */
const DATABASE_TIMEOUT_MS = 10_000;

export interface Core {
  readonly app: NestFastifyApplication;
  /** Returns the origin that the core listens on. */
  listen(port: number, host: string): Promise<string>;
  /**
   * Reports the core as not ready from now on, so that load balancers stop sending requests. Requests still succeed.
   */
  drain(): void;
  /** Closes event streams, waits for running requests, and releases all resources. */
  close(): Promise<void>;
}

/** Writes JSON lines, like those of each request. Nest's own start messages are left out. */
export function createLogger({ STRATA_LOG_LEVEL: level }: Env): LoggerService | false {
  if (level === 'silent') return false;
  const levels: LogLevel[] = ['fatal', 'error', 'warn'];
  const lowest = levels.indexOf(level as LogLevel);
  return new ConsoleLogger({ json: true, logLevels: lowest === -1 ? levels : levels.slice(0, lowest + 1) });
}

/** Waits for a database that starts at the same time, and logs that it waits. */
export async function assertDatabaseAnswers(env: Env, url = env.DATABASE_URL): Promise<void> {
  const logger = createLogger(env);
  await waitForDatabase(url, DATABASE_TIMEOUT_MS, (error) => {
    const seconds = DATABASE_TIMEOUT_MS / 1_000;
    if (logger) logger.warn(`${startErrorMessage(error)} Waiting for it, at most ${seconds} seconds.`, 'database');
  });
}

async function application(
  env: Env,
  shutdownState: ShutdownState = { now: false },
  telemetry: Telemetry | null = null,
): Promise<NestFastifyApplication> {
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.forRoot(env), createAdapter(env), {
    logger: createLogger(env),
    abortOnError: false,
    bodyParser: false, // our own parsers are stricter, see addParsers
  });
  app.setGlobalPrefix('api/v1', {
    exclude: UNVERSIONED.map((path) => ({ path, method: RequestMethod.ALL })),
  });
  setEntityTagKey(app.getHttpAdapter().getInstance(), app.get(ServiceKeys).entityTagKey);
  if (telemetry) observeApplication(app, telemetry);
  addRequestStages(app, shutdownState);
  return app;
}

/** Returns the REST service, ready to listen. Throws if the schema or the root key does not fit. */
export async function createCore(env: Env): Promise<Core> {
  await assertKeepsSessions(env.DATABASE_URL);
  const shutdownState = { now: false };
  const telemetry = await startCoreTelemetry(env);
  const app = await application(env, shutdownState, telemetry).catch(async (error: unknown) => {
    await stopCoreTelemetry(telemetry);
    throw error;
  });
  try {
    await app.init();
    const checkDatabase = await app.get(Database).trouble(DATABASE_TIMEOUT_MS);
    if (checkDatabase) throw new StartError(checkDatabase);
    if (!env.STRATA_UNSAFE_DATABASE) await app.get(Database).assertDurable();
    const privileges = await app.get(Database).privilegeProblem();
    if (privileges) new Logger('database').warn(privileges);
  } catch (error) {
    await app.close();
    await stopCoreTelemetry(telemetry);
    throw error;
  }
  const drain = () => {
    shutdownState.now = true;
    app.get(HealthController).draining = true;
  };
  return {
    app,
    drain,
    listen: async (port, host) => {
      await app.listen(port, host);
      return app.getUrl();
    },
    close: async () => {
      drain();
      await app.close();
      await stopCoreTelemetry(telemetry);
    },
  };
}

/**
 * Brings the schema up to date and ensures that an organization exists. It can be repeated, and several processes can
 * run it at once.
 */
export async function migrate(env: Env, { isEnforced = false } = {}): Promise<void> {
  await migrateSchema({
    databaseUrl: env.DATABASE_URL,
    ownerUrl: env.STRATA_OWNER_DATABASE_URL,
    ...{ rootKeys: readRootKeys(env), isEnforced },
  });
  const app = await application(env);
  try {
    await app.init();
    await app.get(Bootstrap).run();
  } finally {
    await app.close();
  }
}
