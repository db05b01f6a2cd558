import { FeedEventTypeName } from '@strata/contract';
import { type GraphQLSchema, printSchema, validateSchema } from 'graphql';
import { addAction } from './schema/action.ts';
import { Assembly } from './schema/assembly.ts';
import { addLinks } from './schema/links.ts';
import { addList } from './schema/list-field.ts';
import { enumKind } from './schema/member.ts';
import { addNoun } from './schema/noun.ts';
import { addRead } from './schema/read-field.ts';
import { SchemaBuild } from './schema/schema-build.ts';
import { SCHEMA_PARTS } from './schema-parts.ts';

/** Builds the served schema: types, arguments and resolvers in one pass over the declared parts. */
export function createSchema(): GraphQLSchema {
  const build = new SchemaBuild();
  const assembly = new Assembly(build);
  // GraphQL uses one type for the event types of webhooks and of the feed, which has more of them.
  build.scalar(enumKind(FeedEventTypeName));
  for (const { objects = [], inputs = [] } of SCHEMA_PARTS) {
    for (const object of objects) assembly.declare(object);
    for (const { name, of } of inputs) build.nameInput(of, name);
  }
  for (const { nouns = [], lists = [], reads = [], actions = [], extend } of SCHEMA_PARTS) {
    for (const noun of nouns) addNoun(assembly, noun);
    for (const list of lists) addList(assembly, list);
    for (const read of reads) addRead(assembly, read);
    for (const action of actions) addAction(assembly, action);
    extend?.(assembly);
  }
  addLinks(assembly);
  return build.schema();
}

/** Returns the schema as in docs/schema.graphql; throws if GraphQL does not accept it. */
export function printedSchema(): string {
  const schema = createSchema();
  const [error] = validateSchema(schema);
  if (error) throw error;
  return `# Made from apps/gateway by: node apps/gateway/build/print-schema.js\n\n${printSchema(schema)}\n`;
}
