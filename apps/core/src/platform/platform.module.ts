import { type DynamicModule, Global, Logger, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { DataSource } from 'typeorm';
import { DeniedRequestLog } from './access-log/denied-request-log.ts';
import { RevealLog } from './access-log/reveal-log.ts';
import { CredentialUses } from './auth/credential-uses.ts';
import { Credentials } from './auth/credentials.ts';
import { ExternalPeople } from './auth/external-people.ts';
import { IssuerTokens } from './auth/issuer-tokens.ts';
import { ApiKeyStrategy, BearerStrategy, SessionStrategy } from './auth/strategies.ts';
import { TokenIssuer } from './auth/token-issuer.ts';
import { TokenKeys } from './auth/token-keys.ts';
import type { Env } from './env.ts';
import { BatchController } from './http/batch.controller.ts';
import { CallerGuard } from './http/caller.guard.ts';
import { FailureFilter } from './http/failure.filter.ts';
import { HealthController } from './http/health.controller.ts';
import { OpenApiController } from './http/openapi.controller.ts';
import { OperationCommands } from './http/operation-commands.ts';
import { PointsInTime } from './http/points-in-time.ts';
import { ReadRecorder } from './http/read-recorder.ts';
import { RepeatedRequests } from './http/repeated-requests.ts';
import { RequestAuthentication } from './http/request-authentication.ts';
import { ResponseCache } from './http/response-cache.ts';
import { ResponseStore } from './http/response-store.ts';
import { TokenKeysController } from './http/token-keys.controller.ts';
import { Cascades } from './ledger/cascades.ts';
import { Heads } from './ledger/heads.ts';
import { IdempotencyKeys } from './ledger/idempotency-keys.ts';
import { LastReads } from './ledger/last-reads.ts';
import { SeenHeads } from './ledger/seen-heads.ts';
import { UnitOfWork } from './ledger/unit-of-work.ts';
import { AnonymousRateLimit } from './limits/anonymous-rate-limit.ts';
import { OrganizationLimits } from './limits/organization-limits.ts';
import { ChangeNotifier } from './notifications/change-notifier.ts';
import { PatternEngine } from './patterns/pattern-engine.ts';
import { ConnectionMonitor } from './postgres/connection-monitor.ts';
import { applicationDataSource } from './postgres/data-source.ts';
import { Database } from './postgres/database.ts';
import { DatabaseProbe } from './postgres/database-probe.ts';
import { JobTasks } from './postgres/job-tasks.ts';
import { APPLICATION_ROLE, withSession } from './postgres/session.ts';
import { SnapshotReader } from './postgres/snapshot-reader.ts';
import { StandbyReads } from './postgres/standby-reads.ts';
import { TenantTokens } from './postgres/tenants.ts';
import { ENV } from './tokens.ts';
import { RootKeys, readRootKeys } from './vault/root-key.ts';
import { nameCore } from './vault/root-key-holders.ts';
import { requireServiceKeys, ServiceKeys } from './vault/service-keys.ts';
import { Vault } from './vault/vault.ts';

const EXPORTED = [
  ChangeNotifier,
  Cascades,
  SeenHeads,
  IdempotencyKeys,
  JobTasks,
  UnitOfWork,
  LastReads,
  OperationCommands,
  PointsInTime,
  ReadRecorder,
  ResponseCache,
  ResponseStore,
  Vault,
  CredentialUses,
  Credentials,
  IssuerTokens,
  TokenIssuer,
  TokenKeys,
  PatternEngine,
  DeniedRequestLog,
  RevealLog,
];

/** The providers that every feature uses. The platform imports no feature. */
@Global()
@Module({})
export class PlatformModule {
  static forRoot(env: Env, entities: readonly (new () => object)[]): DynamicModule {
    const logger = new Logger('database');
    const exportedProviders = [
      { provide: ENV, useValue: env },
      ...provideKeys(env),
      { provide: DatabaseProbe, useFactory: () => new DatabaseProbe(env.DATABASE_URL) },
      {
        provide: ConnectionMonitor,
        inject: [DatabaseProbe],
        useFactory: (probe: DatabaseProbe) => new ConnectionMonitor(probe),
      },
      {
        provide: DataSource,
        inject: [ConnectionMonitor, SeenHeads, TenantTokens, RootKeys],
        useFactory: (monitor: ConnectionMonitor, seenHeads: SeenHeads, tenantTokens: TenantTokens, keys: RootKeys) =>
          applicationDataSource({
            databaseUrl: env.DATABASE_URL,
            applicationName: nameCore(keys),
            entities,
            monitor,
            tenantTokens,
            verify: (client) => seenHeads.verify(client),
            timeoutSeconds: env.STRATA_DATABASE_TIMEOUT_SECONDS,
            onPoolError: (error) =>
              logger.warn(`a connection was lost: ${(error as { code?: string }).code ?? 'closed'}`),
          }).initialize(),
      },
      {
        provide: Database,
        inject: [DataSource, DatabaseProbe, ConnectionMonitor, RootKeys],
        useFactory: (source: DataSource, probe: DatabaseProbe, silence: ConnectionMonitor, rootKeys: RootKeys) =>
          new Database(env.DATABASE_URL, source, probe, silence, rootKeys),
      },
      {
        provide: Heads,
        inject: [DataSource, SeenHeads],
        useFactory: (dataSource: DataSource, seenHeads: SeenHeads) =>
          new Heads(SnapshotReader.committed(dataSource), seenHeads, env.STRATA_READ_DATABASE_URLS.length > 0),
      },
      { provide: SnapshotReader, inject: [DataSource, StandbyReads], useFactory: SnapshotReader.committed },
    ];
    return {
      module: PlatformModule,
      imports: [PassportModule],
      controllers: [BatchController, HealthController, OpenApiController, TokenKeysController],
      providers: [
        ...exportedProviders,
        ...EXPORTED,
        provideStandbyReads(env),
        ApiKeyStrategy,
        BearerStrategy,
        SessionStrategy,
        ExternalPeople,
        OrganizationLimits,
        AnonymousRateLimit,
        RequestAuthentication,
        RepeatedRequests,
        { provide: APP_GUARD, useClass: CallerGuard },
        RevealLog,
        { provide: APP_FILTER, useClass: FailureFilter },
      ],
      exports: [...exportedProviders.map(({ provide }) => provide), ...EXPORTED],
    };
  }
}

const provideKeys = (env: Env) => [
  { provide: RootKeys, useFactory: () => readRootKeys(env) },
  {
    provide: ServiceKeys,
    inject: [RootKeys],
    useFactory: (rootKeys: RootKeys) =>
      withSession(env.DATABASE_URL, APPLICATION_ROLE, {}, (client) =>
        requireServiceKeys((sql) => client.query(sql).then(({ rows }) => rows), rootKeys),
      ),
  },
  {
    provide: TenantTokens,
    inject: [ServiceKeys],
    useFactory: (serviceKeys: ServiceKeys) => new TenantTokens(serviceKeys),
  },
];

const provideStandbyReads = ({
  STRATA_READ_DATABASE_URLS: urls,
  STRATA_DATABASE_TIMEOUT_SECONDS: timeoutSeconds,
}: Env) => ({
  provide: StandbyReads,
  inject: [Heads, TenantTokens],
  useFactory: (heads: Heads, tenantTokens: TenantTokens) =>
    new StandbyReads({ urls, timeoutSeconds, tenantTokens }, (organizationId) => heads.of(organizationId)),
});
