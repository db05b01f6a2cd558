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
  /** The cost of the field in a document; default 1. */
  readonly cost?: number;
  /** The ids of the contract's operations that the field calls. */
  readonly reaches?: readonly string[];
  readonly resolve?: (source: Source, args: Args, context: GatewayContext, info: GraphQLResolveInfo) => unknown;
  readonly subscribe?: (source: Source, args: Args, context: GatewayContext) => AsyncIterable<unknown>;
}

/** Declares a field whose resolver has the types of its parent and arguments. The schema guarantees both. */
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

/** These words have another meaning in GraphQL, so enums contain them in upper case. */
const RESERVED_WORDS = ['null', 'true', 'false'];
const enumName = (word: string): string => (RESERVED_WORDS.includes(word) ? word.toUpperCase() : word);

/**
 * Builds the schema from declarations in one pass. Types refer to each other by thunks, so the order of declarations
 * does not matter. Only this object stores the declarations.
 */
export class SchemaBuild {
  private readonly types = new Map<string, GraphQLNamedType>();
  private readonly fields = new Map<string, Record<string, SchemaField>>();
  /** Keyed by members, because a schema with additional metadata is a different object. */
  private readonly inputNames = new Map<object, string>();

  /** Returns the type with this name and creates it on first use. */
  once<Type extends GraphQLNamedType>(name: string, make: () => Type): Type {
    const existingType = this.types.get(name);
    if (existingType) return existingType as Type;
    const newType = make();
    this.types.set(name, newType);
    return newType;
  }

  /** Returns an object type of another part. Call this in a thunk, after all types were declared. */
  declared(name: string): GraphQLObjectType {
    const type = this.types.get(name);
    if (!isObjectType(type)) throw new Error(`No object type is called ${name}.`);
    return type;
  }

  /** Sets the name of a shape that several inputs contain. */
  nameInput(schema: z.ZodObject, name: string): void {
    this.inputNames.set(schema.shape, name);
  }

  inputNameOf(schema: z.ZodObject): string | undefined {
    return this.inputNames.get(schema.shape);
  }

  add(owner: string, fields: SchemaFields): void {
    const declaredFields = this.fields.get(owner) ?? {};
    for (const [name, addedField] of Object.entries(fields)) {
      if (name in declaredFields) throw new Error(`${owner}.${name} is declared twice.`);
      declaredFields[name] = owner === 'Mutation' ? forgettingReads(addedField) : addedField;
    }
    this.fields.set(owner, declaredFields);
  }

  /** Returns the fields of a type. Call this in a thunk, after all fields were added. */
  fieldsOf(owner: string): GraphQLFieldConfigMap<unknown, GatewayContext> {
    return this.fields.get(owner) ?? {};
  }

  scalar(kind: ScalarKind): GraphQLScalarType | GraphQLEnumType {
    return kind.is === 'word' ? this.enumType(kind.vocabulary) : SCALARS[kind.is];
  }

  enumType({ name, description, meanings }: Vocabulary): GraphQLEnumType {
    const values = Object.fromEntries(
      Object.entries(meanings).map(([word, description]) => [
        enumName(word),
        { description: description, value: word },
      ]),
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

/** Mutations run one after the other, so the selections of a mutation are read after its write. */
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
