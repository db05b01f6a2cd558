import { OPERATIONS, type Operation } from '@strata/contract';
import { type GraphQLNamedType, type GraphQLSchema, getNamedType, isInputObjectType, isObjectType } from 'graphql';
import { z } from 'zod';
import { camel, nameOfLink } from './schema/names.ts';
import { createSchema } from './schema.ts';

/** Operations that GraphQL does not have, and why. */
const OMITTED: Readonly<Record<string, string>> = {
  batch_create: 'the gateway itself reads by it what one level of a document needs',
  effective_list: 'one question of REST for what `Project.effective` says of several projects and environments',
  api_schema_retrieve: 'it describes the REST API; GraphQL describes itself by introspection',
};

/** Root fields that no one operation stands behind, and why there are such. */
const OF_GRAPHQL: Readonly<Record<string, string>> = {
  'Query.node': 'finds any object by its `nodeId`',
  'Query.explain': 'one name of what `Project.explanations` lists',
  'Subscription.changeFeed': '`changes` with bookmarks between them',
  'Query.changesCursor': 'the position of `events_list` without its changes',
};

/** Parameters of the REST API that are described in another way, and how. */
const OTHERWISE: Readonly<Record<string, string>> = {
  page: '`first` and `after`',
  page_size: '`first`',
  mask_secrets: '`reveal`, the other way round',
  include: 'the selection',
  exclude: 'the selection',
  values: 'whether values are selected',
  wait: 'the subscription `changes`',
  limit: '`first`',
};

/** The same for single operations: those whose id matches, the parameters or members, and how. */
const OTHERWISE_IN: readonly (readonly [operations: RegExp, keys: readonly string[], how: string])[] = [
  [
    /^projects_parameters_values_(create|update|partial_update)$/,
    ['environment'],
    'the value is shown where it is set',
  ],
  [/^projects_parameters_values_destroy$/, ['evaluate'], 'nothing is shown of what is gone'],
  [/^webhooks_/, ['organization'], 'by contract that of the credential, or refused'],
];

let schema: GraphQLSchema;
/** The coordinate of the field that reaches each operation. */
let reached: ReadonlyMap<string, string>;
beforeAll(() => {
  schema = createSchema();
  reached = new Map(
    Object.values(schema.getTypeMap()).flatMap((type) =>
      isObjectType(type)
        ? Object.values(type.getFields()).flatMap(({ name, extensions }) =>
            ((extensions.reaches ?? []) as string[]).map((id) => [id, `${type.name}.${name}`] as const),
          )
        : [],
    ),
  );
});

const fieldOf = (id: string) => reached.get(id);

/** Everything that a field takes, as paths: what is in its inputs as `input.tags.name`. */
function takenBy(coordinate: string): Set<string> {
  const [owner = '', field = ''] = coordinate.split('.');
  const type = schema.getType(owner);
  const args = isObjectType(type) ? (type.getFields()[field]?.args ?? []) : [];
  return new Set(args.flatMap(({ name, type: taken }) => [name, ...pathsIn(getNamedType(taken), name)]));
}

function pathsIn(type: GraphQLNamedType, location: string): string[] {
  if (!isInputObjectType(type)) return [];
  return Object.values(type.getFields()).flatMap(({ name, type: inner }) => {
    const path = `${location}.${name}`;
    return [path, ...pathsIn(getNamedType(inner), path)];
  });
}

/** The members of a body and of the objects in it, as lists of keys. */
function membersOf(body: z.ZodType | undefined): string[][] {
  const schema = body && objectIn(body);
  return Object.entries(schema?.shape ?? {}).flatMap(([key, member]) => [
    [key],
    ...membersOf(member as z.ZodType).map((keys) => [key, ...keys]),
  ]);
}

/** What is wrapped in options, defaults and lists; null for what is no object. */
function objectIn(schema: z.ZodType): z.ZodObject | null {
  if (schema instanceof z.ZodObject) return schema;
  if (schema instanceof z.ZodPipe) return objectIn(schema.out as z.ZodType) ?? objectIn(schema.in as z.ZodType);
  if (schema instanceof z.ZodArray) return objectIn(schema.element as z.ZodType);
  const isWrapped =
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  return isWrapped ? objectIn(schema.unwrap() as z.ZodType) : null;
}

/** The parameters and members of an operation that its field does not take under the name of the rule. */
function missing({ id, query, body }: Operation): string[] {
  const taken = takenBy(fieldOf(id) ?? '');
  const isTaken = (location: string, keys: readonly string[]) => {
    const key = keys.at(-1) ?? '';
    const above = keys.slice(0, -1).map((name) => `${camel(name)}.`);
    const names = [camel(key), nameOfLink(key, false), nameOfLink(key, true)];
    return names.some((name) => taken.has(location + above.join('') + name));
  };
  const ofQuery = Object.keys(query?.shape ?? {}).filter((key) => !isTaken('', [key]));
  const ofBody = membersOf(body).filter((keys) => !isTaken('input.', keys));
  return [...ofQuery, ...ofBody.map((keys) => keys.join('.'))];
}

/** Whether a table says how something is described in another way: by its key anywhere, or by operation and key. */
const isExcused = (id: string, key: string): boolean =>
  OTHERWISE[key] !== undefined || OTHERWISE_IN.some(([operations, keys]) => operations.test(id) && keys.includes(key));

/** What there is in REST alone, as operation and query parameter or path of a member. */
const missed = (): (readonly [id: string, key: string])[] =>
  OPERATIONS.filter(({ id }) => OMITTED[id] === undefined && fieldOf(id) !== undefined).flatMap((operation) =>
    missing(operation).map((key) => [operation.id, key] as const),
  );

const ids = OPERATIONS.map(({ id }) => id);

describe('GraphQL', () => {
  it('reaches every operation of the REST API, or says why not', () => {
    expect(ids.filter((id) => fieldOf(id) === undefined && OMITTED[id] === undefined)).toEqual([]);
  });

  it('reaches no operation that the REST API does not have', () => {
    const named = [...reached.keys(), ...Object.keys(OMITTED)];

    expect(named.filter((id) => !ids.includes(id))).toEqual([]);
    expect(Object.keys(OMITTED).filter((id) => reached.has(id))).toEqual([]);
  });

  it('takes everything that the operations take, under the same names in its own casing', () => {
    expect(missed().filter(([id, key]) => !isExcused(id, key))).toEqual([]);
  });

  it('needs every line of the tables of what is told in another way', () => {
    const gaps = missed();
    const inGeneral = Object.keys(OTHERWISE).filter((line) => !gaps.some(([, key]) => key === line));
    const inSome = OTHERWISE_IN.flatMap(([operations, keys]) =>
      keys
        .filter((line) => !gaps.some(([id, key]) => key === line && operations.test(id) && !(key in OTHERWISE)))
        .map((line) => `${operations} ${line}`),
    );

    expect([...inGeneral, ...inSome]).toEqual([]);
  });

  it('has no root field without an operation behind it', () => {
    const explained = new Set([...reached.values(), ...Object.keys(OF_GRAPHQL)]);
    const roots = ['Query', 'Mutation', 'Subscription'].flatMap((name) => {
      const type = schema.getType(name);
      return isObjectType(type) ? Object.keys(type.getFields()).map((field) => `${name}.${field}`) : [];
    });

    expect(roots.filter((coordinate) => !explained.has(coordinate))).toEqual([]);
  });
});
