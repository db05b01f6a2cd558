import type { Vocabulary } from '@strata/contract';
import {
  GraphQLBoolean,
  GraphQLEnumType,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLFieldConfigMap,
  type GraphQLFieldResolver,
  GraphQLID,
  GraphQLInt,
  type GraphQLNamedType,
  GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  isObjectType,
  lexicographicSortSchema,
} from 'graphql';
import type { z } from 'zod';
import { clearReads, type GatewayContext } from '../context.ts';
import type { ScalarKind } from './member.ts';
import { DateTime, Json, TextMap } from './scalars.ts';

export type FieldArgs = Readonly<Record<string, unknown>>;
export type SchemaField = GraphQLFieldConfig<unknown, GatewayContext>;
export type SchemaFields = Readonly<Record<string, SchemaField>>;

interface FieldSpec<Source, Args> {
  readonly type: GraphQLOutputType;
  readonly description: string;
  readonly args?: GraphQLFieldConfigArgumentMap;
  /** What it counts in the cost of a document; 1 when left out. */
  readonly cost?: number;
  /** Ids of the operations of the contract that it reaches. */
  readonly reaches?: readonly string[];
  readonly resolve?: (source: Source, args: Args, context: GatewayContext, info: GraphQLResolveInfo) => unknown;
  readonly subscribe?: (source: Source, args: Args, context: GatewayContext) => AsyncIterable<unknown>;
}

/** A field whose resolver knows what it stands on and what it takes; the schema has made sure of both. */
export function field<Source = unknown, Args = FieldArgs>(spec: FieldSpec<Source, Args>): SchemaField {
  const { type, description, args, cost, reaches, resolve, subscribe } = spec;
  return {
    type,
    description,
    ...(args && { args }),
    ...(resolve && { resolve: resolve as GraphQLFieldResolver<unknown, GatewayContext> }),
    ...(subscribe && { subscribe: subscribe as GraphQLFieldResolver<unknown, GatewayContext> }),
    extensions: { ...(cost !== undefined && { cost }), ...(reaches && { reaches }) },
  };
}

const ROOTS = ['Query', 'Mutation', 'Subscription'] as const;

/** GraphQL reads these words as something else, so that an enum has them in capitals. */
const RESERVED_WORDS = ['null', 'true', 'false'];
const enumName = (word: string): string => (RESERVED_WORDS.includes(word) ? word.toUpperCase() : word);

/**
 * One pass from declarations to a schema. Types refer to each other by thunks, so the order in which they are declared
 * does not matter; what has been declared is known to this object alone.
 */
export class SchemaBuild {
  private readonly types = new Map<string, GraphQLNamedType>();
  private readonly fields = new Map<string, Record<string, SchemaField>>();
  /** By their members, since a schema that only adds words to another is another schema. */
  private readonly inputNames = new Map<object, string>();

  /** The type of this name, made when it is first asked for. */
  once<Type extends GraphQLNamedType>(name: string, make: () => Type): Type {
    const known = this.types.get(name);
    if (known) return known as Type;
    const made = make();
    this.types.set(name, made);
    return made;
  }

  /** An object type that another part declares; to be asked for in a thunk, when all are. */
  declared(name: string): GraphQLObjectType {
    const known = this.types.get(name);
    if (!isObjectType(known)) throw new Error(`No object type is called ${name}.`);
    return known;
  }

  /** What a shape is called in every input that it is part of. */
  nameInput(schema: z.ZodObject, name: string): void {
    this.inputNames.set(schema.shape, name);
  }

  inputNameOf(schema: z.ZodObject): string | undefined {
    return this.inputNames.get(schema.shape);
  }

  /** Adds fields to a type, or to Query, Mutation or Subscription. */
  add(owner: string, fields: SchemaFields): void {
    const known = this.fields.get(owner) ?? {};
    for (const [name, added] of Object.entries(fields)) {
      if (name in known) throw new Error(`${owner}.${name} is declared twice.`);
      known[name] = owner === 'Mutation' ? forgettingReads(added) : added;
    }
    this.fields.set(owner, known);
  }

  /** The fields of a type as far as they were added; to be asked for in a thunk, when all are. */
  fieldsOf(owner: string): GraphQLFieldConfigMap<unknown, GatewayContext> {
    return this.fields.get(owner) ?? {};
  }

  scalar(kind: ScalarKind): GraphQLScalarType | GraphQLEnumType {
    return kind.is === 'word' ? this.enumOf(kind.vocabulary) : SCALARS[kind.is];
  }

  enumOf({ name, description, words }: Vocabulary): GraphQLEnumType {
    const values = Object.fromEntries(
      Object.entries(words).map(([word, about]) => [enumName(word), { description: about, value: word }]),
    );
    return this.once(name, () => new GraphQLEnumType({ name, description, values }));
  }

  schema(): GraphQLSchema {
    const [query, mutation, subscription] = ROOTS.map(
      (name) => new GraphQLObjectType({ name, fields: this.fieldsOf(name) }),
    );
    return lexicographicSortSchema(
      new GraphQLSchema({ query, mutation, subscription, types: [...this.types.values()] }),
    );
  }
}

/** The fields of a mutation follow each other: what is selected of one, and of those after it, is read after its write. */
function forgettingReads({ resolve, ...write }: SchemaField): SchemaField {
  if (!resolve) return write;
  return {
    ...write,
    resolve: async (source, args, context, info) => {
      try {
        return await resolve(source, args, context, info);
      } finally {
        clearReads(context);
      }
    },
  };
}

const SCALARS: Readonly<Record<Exclude<ScalarKind['is'], 'word'>, GraphQLScalarType>> = {
  text: GraphQLString,
  id: GraphQLID,
  link: GraphQLID,
  flag: GraphQLBoolean,
  count: GraphQLInt,
  time: DateTime,
  map: TextMap,
  json: Json,
};
