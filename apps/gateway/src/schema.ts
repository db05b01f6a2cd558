import { NestFactory } from '@nestjs/core';
import { GraphQLSchemaBuilderModule, GraphQLSchemaFactory } from '@nestjs/graphql';
import {
  type GraphQLFieldResolver,
  type GraphQLSchema,
  isObjectType,
  lexicographicSortSchema,
  printSchema,
} from 'graphql';
import { RESOLVERS } from './resolvers.ts';

type Resolve = GraphQLFieldResolver<unknown, unknown>;

/** What answers the fields, by type and field; a subscription has two functions. */
export type FieldResolvers = Readonly<
  Record<string, Readonly<Record<string, Resolve | { readonly subscribe: Resolve; readonly resolve?: Resolve }>>>
>;

/**
 * The schema that is served. Nest alone would check it by asking it for everything, print it, parse and validate the
 * print, and put all that together again: a third of the gateway's start, and what comes out is the same.
 */
export async function servedSchema(
  factory: GraphQLSchemaFactory,
  resolvers: readonly FieldResolvers[],
): Promise<GraphQLSchema> {
  const schema = lexicographicSortSchema(await factory.create([...RESOLVERS], { skipCheck: true }));
  for (const [name, fields] of resolvers.flatMap((some) => Object.entries(some))) {
    const type = schema.getType(name);
    if (!isObjectType(type)) continue;
    for (const [fieldName, resolver] of Object.entries(fields)) {
      const field = type.getFields()[fieldName];
      if (field) Object.assign(field, typeof resolver === 'function' ? { resolve: resolver } : resolver);
    }
  }
  return schema;
}

/** The schema without a server, for the documentation and its test, and checked. */
export async function buildSchema(): Promise<GraphQLSchema> {
  const app = await NestFactory.createApplicationContext(GraphQLSchemaBuilderModule, { logger: false });
  try {
    return lexicographicSortSchema(await app.get(GraphQLSchemaFactory).create([...RESOLVERS]));
  } finally {
    await app.close();
  }
}

export async function printedSchema(): Promise<string> {
  return `# Made from apps/gateway by: node apps/gateway/dist/print-schema.js\n\n${printSchema(await buildSchema())}\n`;
}
