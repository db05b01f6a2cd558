import { findVocabulary, LIMITS } from '@strata/contract';
import {
  GraphQLBoolean,
  type GraphQLFieldConfigArgumentMap,
  GraphQLID,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
} from 'graphql';
import { z } from 'zod';
import type { Query } from '../core.ts';
import { describeMember, type ScalarKind } from './member.ts';
import { splitWords, toCamelCase } from './names.ts';
import { PROVIDER_KIND } from './object-type.ts';
import type { FieldArgs, SchemaBuild } from './schema-build.ts';

/** The query parameters of an operation as arguments of a field. */
export interface QueryArgs {
  readonly config: GraphQLFieldConfigArgumentMap;
  /** Returns the query for the core. Secrets are masked unless `reveal` is true. */
  query(args: FieldArgs): Record<string, Query[string]>;
  /** Returns the point in time of the arguments. */
  pointInTime(args: FieldArgs): Query;
}

/** GraphQL has its own way for these parameters: `first` and `after` for pages, and selections for fields. */
const DESCRIBED_ELSEWHERE = new Set(['page', 'page_size', 'after', 'include', 'exclude']);
const MOMENT = ['as_of', 'tag', 'revision'] as const;
const ONLY_THESE = `Only objects with these ids, at most ${LIMITS.idsPerRequest}. Unknown ids are ignored.`;
const REVEAL = 'Reveal the values of secrets instead of `*****`.';

/** Describes the argument `environmentId` as "The environment." */
function aboutId(id: string): string {
  return id === 'id' ? 'Id of the object.' : `The ${splitWords(id.replace(/Id$/, ''))}.`;
}

/** Returns the ids of a path as arguments. */
export function idArgs(build: SchemaBuild, ids: readonly string[]): GraphQLFieldConfigArgumentMap {
  return Object.fromEntries(
    ids.map((name) =>
      name === 'provider'
        ? [
            name,
            { type: new GraphQLNonNull(build.scalar(PROVIDER_KIND)), description: 'The provider of the integration.' },
          ]
        : [name, { type: new GraphQLNonNull(GraphQLID), description: aboutId(name) }],
    ),
  );
}

/**
 * Returns the arguments for the parameters of a query, without the parameters in `without`, which the field sets
 * itself.
 */
export function queryArgs(
  build: SchemaBuild,
  schema: z.ZodObject | undefined,
  { without = [] }: { readonly without?: readonly string[] } = {},
): QueryArgs {
  const members = Object.entries(schema?.shape ?? {})
    .filter(([key]) => !DESCRIBED_ELSEWHERE.has(key) && !without.includes(key))
    .map(([key, member]) => ({ key, ...argument(build, key, member as z.ZodType) }));
  const query = (args: FieldArgs) =>
    Object.fromEntries(
      members.map(({ key, name, isRepeated }) => {
        const argument = args[name];
        if (key === 'mask_secrets') return [key, argument !== true];
        return [key, isRepeated && Array.isArray(argument) ? { repeated: argument } : argument];
      }),
    ) as Record<string, Query[string]>;
  // For objects without history, `tag` is only a filter.
  const hasPast = schema !== undefined && 'as_of' in schema.shape;
  const pointInTime = (args: FieldArgs) => {
    if (!hasPast) return {};
    const all = query(args);
    const keys = all.tag ? [...MOMENT, 'environment'] : MOMENT;
    return Object.fromEntries(
      keys.flatMap((key) => {
        const argument = all[key];
        // A tag has one environment, even if the operation accepts several.
        const single =
          typeof argument === 'object' && argument !== null && 'repeated' in argument ? argument.repeated[0] : argument;
        return single === undefined || single === null ? [] : [[key, single]];
      }),
    );
  };
  return { config: Object.fromEntries(members.map(({ name, config }) => [name, config])), query, pointInTime };
}

function argument(build: SchemaBuild, key: string, schema: z.ZodType) {
  if (key === 'mask_secrets') {
    const config = { type: new GraphQLNonNull(GraphQLBoolean), defaultValue: false, description: REVEAL };
    return { name: 'reveal', isRepeated: false, config };
  }
  const { kind, about } = describeMember(key, schema);
  const itemType = build.scalar(kind as ScalarKind);
  const isRepeated = isRepeatedParameter(schema);
  const type: GraphQLInputType =
    isRepeated || isList(key, schema) ? new GraphQLList(new GraphQLNonNull(itemType)) : itemType;
  const isRequired = !schema.safeParse(undefined).success;
  const description = key === 'id__in' ? ONLY_THESE : about;
  return {
    name: toCamelCase(key),
    isRepeated,
    config: { type: isRequired ? new GraphQLNonNull(type) : type, description },
  };
}

/** Returns whether the parameter is repeated for several texts. */
function isRepeatedParameter(schema: z.ZodType): boolean {
  if (schema instanceof z.ZodOptional) return isRepeatedParameter(schema.unwrap() as z.ZodType);
  return schema instanceof z.ZodArray;
}

/** Returns whether the parameter is a comma-separated list. `ordering` stays one text, which is easier to read. */
function isList(key: string, schema: z.ZodType): boolean {
  if (key === 'id__in') return true;
  const [word = 'a'] = Object.keys(findVocabulary(schema)?.meanings ?? {});
  const parsed = key === 'ordering' ? null : schema.safeParse(`${word},${word}`);
  return parsed?.success === true && Array.isArray(parsed.data);
}
