import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import type { DynamicModule, Type } from '@nestjs/common';
import { Logger, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { GraphQLModule } from '@nestjs/graphql';
import type { CorePool } from '@strata/rest-client';
import type { FastifyRequest } from 'fastify';
import type { GatewayContext, IncomingRequest } from './context.ts';
import type { Documents } from './documents/documents.ts';
import type { GatewayEnv } from './env.ts';
import { createErrorLogger } from './error-log.ts';
import { FailureExceptionFilter, HttpExceptionFilter } from './errors.ts';
import { CORE_POOL, DRAINING, type Draining, GatewayHealthController } from './health.controller.ts';
import { PlaygroundController, playgroundPage } from './playground/playground.ts';
import { responseSources } from './response-store/stored-responses.ts';
import { apolloSettings } from './schema/settings.ts';
import { createSchema } from './schema.ts';
import { ProviderSignInController } from './session/provider-sign-in.controller.ts';
import { Providers } from './session/providers.ts';
import { readCaller } from './session/request-credential.ts';
import { SessionController } from './session/session.controller.ts';
import { Sessions } from './session/sessions.ts';
import { SignIn } from './session/sign-in.ts';

export interface GatewayParts {
  readonly env: GatewayEnv;
  readonly documents: Documents;
  readonly pool: CorePool;
  readonly draining: Draining;
  readonly sessions: Sessions;
  readonly contextFor: (arrival: IncomingRequest) => GatewayContext;
}

@Module({})
export class GatewayModule {
  static of({ env, documents, pool, draining, sessions, contextFor }: GatewayParts): DynamicModule {
    const logger = new Logger('GraphQL');
    const controllers: Type<object>[] = [
      GatewayHealthController,
      SessionController,
      ProviderSignInController,
      ...(env.playground ? [PlaygroundController] : []),
    ];
    return {
      module: GatewayModule,
      imports: [
        GraphQLModule.forRoot<ApolloDriverConfig>({
          driver: ApolloDriver,
          ...apolloSettings(env, documents, env.playground ? playgroundPage() : null, createErrorLogger(logger)),
          schema: createSchema(),
          context: (request: FastifyRequest): GatewayContext =>
            contextFor({ ...readCaller(request, sessions), sources: responseSources(request) }),
        }),
      ],
      controllers,
      providers: [
        { provide: CORE_POOL, useValue: pool },
        { provide: DRAINING, useValue: draining },
        { provide: Sessions, useValue: sessions },
        {
          provide: Providers,
          useValue: new Providers({
            providers: env.identityProviders,
            allowPrivate: env.privateIssuers,
            publicUrl: env.publicUrl,
          }),
        },
        { provide: SignIn, useValue: new SignIn(pool, () => sessions.now) },
        { provide: APP_FILTER, useClass: HttpExceptionFilter },
        { provide: APP_FILTER, useClass: FailureExceptionFilter },
      ],
    };
  }
}
