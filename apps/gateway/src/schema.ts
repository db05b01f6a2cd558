import { NestFactory } from '@nestjs/core';
import { GraphQLSchemaBuilderModule, GraphQLSchemaFactory } from '@nestjs/graphql';
import { type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { RESOLVERS } from './resolvers.ts';

/** The schema without a server, for the documentation and its test. */
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
