import { LIMITS, vocabularyOf } from '@strata/contract';
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
import { memberOf, type ScalarKind } from './member.ts';
import { camel, spaced } from './names.ts';
import { PROVIDER_KIND } from './object-type.ts';
import type { FieldArgs, SchemaBuild } from './schema-build.ts';

/** Query parameters of the contract as arguments of a field. */
export interface QueryArgs {
  readonly config: GraphQLFieldConfigArgumentMap;
  /** What of them goes to the core. Secrets are masked unless `reveal` says otherwise. */
  query(args: FieldArgs): Record<string, Query[string]>;
  /** The point in time among them. */
  moment(args: FieldArgs): Query;
}

/** Told in GraphQL's own way: pages by `first` and `after`, fields by selecting them. */
const DESCRIBED_ELSEWHERE = new Set(['page', 'page_size', 'after', 'include', 'exclude']);
const MOMENT = ['as_of', 'tag', 'revision'] as const;
const ONLY_THESE = `Only these, at most ${LIMITS.idsPerRequest}; unknown ones are left out.`;
const REVEAL = 'Show the text of secrets instead of `*****`.';

/** `environmentId` → "The environment." */
function aboutId(id: string): string {
  return id === 'id' ? 'Its id.' : `The ${spaced(id.replace(/Id$/, ''))}.`;
}

/** Ids of a path as arguments. */
export function idArgs(build: SchemaBuild, ids: readonly string[]): GraphQLFieldConfigArgumentMap {
  return Object.fromEntries(
    ids.map((name) =>
      name === 'provider'
        ? [name, { type: new GraphQLNonNull(build.scalar(PROVIDER_KIND)), description: 'Whose cloud it is.' }]
        : [name, { type: new GraphQLNonNull(GraphQLID), description: aboutId(name) }],
    ),
  );
}

/** The parameters of a query; `without` are those that the field decides by itself. */
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
        const given = args[name];
        if (key === 'mask_secrets') return [key, given !== true];
        return [key, isRepeated && Array.isArray(given) ? { repeated: given } : given];
      }),
    ) as Record<string, Query[string]>;
  // What has no past knows `tag` only as a filter.
  const hasPast = schema !== undefined && 'as_of' in schema.shape;
  const moment = (args: FieldArgs) => {
    if (!hasPast) return {};
    const all = query(args);
    const keys = all.tag ? [...MOMENT, 'environment'] : MOMENT;
    return Object.fromEntries(
      keys.flatMap((key) => {
        const found = all[key];
        // a tag has one environment, also where several can be asked for
        const one = typeof found === 'object' && found !== null && 'repeated' in found ? found.repeated[0] : found;
        return one === undefined || one === null ? [] : [[key, one]];
      }),
    );
  };
  return { config: Object.fromEntries(members.map(({ name, config }) => [name, config])), query, moment };
}

function argument(build: SchemaBuild, key: string, schema: z.ZodType) {
  if (key === 'mask_secrets') {
    const config = { type: new GraphQLNonNull(GraphQLBoolean), defaultValue: false, description: REVEAL };
    return { name: 'reveal', isRepeated: false, config };
  }
  const { kind, about } = memberOf(key, schema);
  const one = build.scalar(kind as ScalarKind);
  const isRepeated = isRepeatedParameter(schema);
  const type: GraphQLInputType = isRepeated || isList(key, schema) ? new GraphQLList(new GraphQLNonNull(one)) : one;
  const isRequired = !schema.safeParse(undefined).success;
  const description = key === 'id__in' ? ONLY_THESE : about;
  return { name: camel(key), isRepeated, config: { type: isRequired ? new GraphQLNonNull(type) : type, description } };
}

/** Given once for each of several texts. */
function isRepeatedParameter(schema: z.ZodType): boolean {
  if (schema instanceof z.ZodOptional) return isRepeatedParameter(schema.unwrap() as z.ZodType);
  return schema instanceof z.ZodArray;
}

/** Several words with commas between them, but for the order, which reads better as one text. */
function isList(key: string, schema: z.ZodType): boolean {
  if (key === 'id__in') return true;
  const [word = 'a'] = Object.keys(vocabularyOf(schema)?.words ?? {});
  const parsed = key === 'ordering' ? null : schema.safeParse(`${word},${word}`);
  return parsed?.success === true && Array.isArray(parsed.data);
}
