import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import type { DynamicModule, Type } from '@nestjs/common';
import { Logger, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { GraphQLModule, GraphQLSchemaBuilderModule, GraphQLSchemaFactory } from '@nestjs/graphql';
import type { CorePool } from '@strata/rest-client';
import type { FastifyRequest } from 'fastify';
import type { Arrival, GatewayContext } from './context.ts';
import type { GatewayEnv } from './env.ts';
import { ExpectedErrors, HttpRefusals } from './errors.ts';
import { apolloSettings } from './graphql/settings.ts';
import { CORE_POOL, DRAINING, type Draining, HealthController } from './health.controller.ts';
import { PlaygroundController, playgroundPage } from './playground/playground.ts';
import { RESOLVERS } from './resolvers.ts';
import { type FieldResolvers, servedSchema } from './schema.ts';

export interface Parts {
  readonly env: GatewayEnv;
  readonly pool: CorePool;
  readonly draining: Draining;
  readonly contextFor: (arrival: Arrival) => GatewayContext;
}

@Module({})
export class GatewayModule {
  static of({ env, pool, draining, contextFor }: Parts): DynamicModule {
    const logger = new Logger('GraphQL');
    const controllers: Type<object>[] = env.playground ? [HealthController, PlaygroundController] : [HealthController];
    return {
      module: GatewayModule,
      imports: [
        GraphQLModule.forRootAsync<ApolloDriverConfig>({
          driver: ApolloDriver,
          imports: [GraphQLSchemaBuilderModule],
          inject: [GraphQLSchemaFactory],
          useFactory: (factory: GraphQLSchemaFactory) => ({
            ...apolloSettings(env, env.playground ? playgroundPage() : null, (error) => logger.error(error)),
            ...schemaSettings(factory),
            context: (request: FastifyRequest): GatewayContext =>
              contextFor({
                authorization: request.headers.authorization ?? '',
                requestId: request.id,
                address: request.ip,
              }),
          }),
        }),
      ],
      controllers,
      providers: [
        ...RESOLVERS,
        { provide: CORE_POOL, useValue: pool },
        { provide: DRAINING, useValue: draining },
        { provide: APP_FILTER, useClass: ExpectedErrors },
        { provide: APP_FILTER, useClass: HttpRefusals },
      ],
    };
  }
}

/** Nest finds what answers the fields, and we put it into the schema. */
function schemaSettings(
  factory: GraphQLSchemaFactory,
): Pick<ApolloDriverConfig, 'transformResolvers' | 'transformSchema'> {
  let resolvers: readonly FieldResolvers[] = [];
  return {
    transformResolvers: (found) => {
      resolvers = [found].flat() as FieldResolvers[];
      return found;
    },
    transformSchema: () => servedSchema(factory, resolvers),
  };
}
