import { OPERATIONS, type Operation } from '@strata/contract';
import { type GraphQLNamedType, type GraphQLSchema, getNamedType, isInputObjectType, isObjectType } from 'graphql';
import { z } from 'zod';
import { idFieldName, toCamelCase } from './schema/names.ts';
import { createSchema } from './schema.ts';

/** The operations without a GraphQL field, with the reason. */
const OMITTED: Readonly<Record<string, string>> = {
  batch_create: 'the gateway itself uses it to read one level of a document',
  audit_stream: 'log systems read it as lines; `audit` has the same records',
  audit_checkpoints_retrieve: 'auditors keep the signed notes, and read them over REST',
  audit_log_checkpoint_retrieve: 'programs for transparency logs read the log over HTTP',
  audit_log_tile_retrieve: 'programs for transparency logs read the log over HTTP',
  audit_log_tile_partial_retrieve: 'programs for transparency logs read the log over HTTP',
  audit_log_tile_long_retrieve: 'programs for transparency logs read the log over HTTP',
  audit_proof_retrieve: 'auditors verify it with tools, which read it over REST',
  effective_list: '`Project.effective` covers several projects and environments',
  api_schema_retrieve: 'it describes the REST API; GraphQL has introspection',
  flags_evaluate: 'OpenFeature providers call it over REST; `Project.effective` has the same values',
  flags_evaluate_one: 'OpenFeature providers call it over REST; `Project.effective` has the same values',
  auth_session_create: 'browsers sign in with `/session` of the gateway, and programs with `signIn`',
  auth_code_create: '`/session/code` of the gateway uses it to let a command line sign in',
  auth_session_destroy: '`/session` of the gateway uses it to sign out',
  users_current_confirmation_retrieve: 'an edge sends it with the credential of a program',
  forwarded_reads_create: 'edges send it over REST',
  auth_exchange_create: 'clients of OAuth token exchange (RFC 8693) send a form to the REST API',
};

/** The root fields without a REST operation, with the reason. */
const OF_GRAPHQL: Readonly<Record<string, string>> = {
  'Query.node': 'finds any object by its `nodeId`',
  'Query.explain': 'one entry of `Project.explanations`',
  'Subscription.changeFeed': '`changes` with bookmarks between them',
  'Query.changesCursor': 'the position of `events_list` without its changes',
};

/** The REST parameters that GraphQL expresses differently, and how. */
const OTHERWISE: Readonly<Record<string, string>> = {
  page: '`first` and `after`',
  page_size: '`first`',
  mask_secrets: '`reveal`, with the opposite meaning',
  include: 'the selection',
  exclude: 'the selection',
  values: 'whether values are selected',
  wait: 'the subscription `changes`',
  limit: '`first`',
};

/**
 * The differences of single operations: the operations whose id matches, the parameters or members, and how GraphQL
 * expresses them.
 */
const OTHERWISE_IN: readonly (readonly [operations: RegExp, keys: readonly string[], how: string])[] = [
  [
    /^projects_parameters_values_(create|update|partial_update)$/,
    ['environment'],
    'the value is shown where it is set',
  ],
  [/^projects_parameters_values_destroy$/, ['evaluate'], 'a deleted object is not returned'],
  [/^projects_effective_stream$/, ['name__in'], '`names`'],
  [/^webhooks_/, ['organization'], 'the contract allows only the organization of the credential'],
];

let schema: GraphQLSchema;
/** The coordinate of the field for each operation. */
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

/** Returns all inputs of a field as paths, including those in its input objects as `input.tags.name`. */
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

/** Returns the members of a body and of its nested objects as lists of keys. */
function listMembers(body: z.ZodType | undefined): string[][] {
  const schema = body && objectIn(body);
  return Object.entries(schema?.shape ?? {}).flatMap(([key, member]) => [
    [key],
    ...listMembers(member as z.ZodType).map((keys) => [key, ...keys]),
  ]);
}

/** Unwraps optional, default and list schemas; returns null if the result is not an object. */
function objectIn(schema: z.ZodType): z.ZodObject | null {
  if (schema instanceof z.ZodObject) return schema;
  if (schema instanceof z.ZodPipe) return objectIn(schema.out as z.ZodType) ?? objectIn(schema.in as z.ZodType);
  if (schema instanceof z.ZodArray) return objectIn(schema.element as z.ZodType);
  const isWrapped =
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  return isWrapped ? objectIn(schema.unwrap() as z.ZodType) : null;
}

/** Returns the parameters and members of an operation that its field lacks under the expected name. */
function missing({ id, query, body }: Operation): string[] {
  const taken = takenBy(fieldOf(id) ?? '');
  const isTaken = (location: string, keys: readonly string[]) => {
    const key = keys.at(-1) ?? '';
    const ancestorPaths = keys.slice(0, -1).map((name) => `${toCamelCase(name)}.`);
    const names = [toCamelCase(key), idFieldName(key, false), idFieldName(key, true)];
    return names.some((name) => taken.has(location + ancestorPaths.join('') + name));
  };
  const ofQuery = Object.keys(query?.shape ?? {}).filter((key) => !isTaken('', [key]));
  const ofBody = listMembers(body).filter((keys) => !isTaken('input.', keys));
  return [...ofQuery, ...ofBody.map((keys) => keys.join('.'))];
}

/** Returns whether a table explains the difference, by its key alone or by operation and key. */
const isExcused = (id: string, key: string): boolean =>
  OTHERWISE[key] !== undefined || OTHERWISE_IN.some(([operations, keys]) => operations.test(id) && keys.includes(key));

/** Returns what only REST has, as operation and query parameter or member path. */
const missed = (): (readonly [id: string, key: string])[] =>
  OPERATIONS.filter(({ id }) => OMITTED[id] === undefined && fieldOf(id) !== undefined).flatMap((operation) =>
    missing(operation).map((key) => [operation.id, key] as const),
  );

const ids = OPERATIONS.map(({ id }) => id);

describe('GraphQL', () => {
  it('has a field for every operation of the REST API, or a documented reason for its absence', () => {
    expect(ids.filter((id) => fieldOf(id) === undefined && OMITTED[id] === undefined)).toEqual([]);
  });

  it('has no field for an unknown operation', () => {
    const named = [...reached.keys(), ...Object.keys(OMITTED)];

    expect(named.filter((id) => !ids.includes(id))).toEqual([]);
    expect(Object.keys(OMITTED).filter((id) => reached.has(id))).toEqual([]);
  });

  it('accepts every input of the operations, under the same names in camel case', () => {
    expect(missed().filter(([id, key]) => !isExcused(id, key))).toEqual([]);
  });

  it('needs every row of the tables of differences', () => {
    const gaps = missed();
    const inGeneral = Object.keys(OTHERWISE).filter((line) => !gaps.some(([, key]) => key === line));
    const inSome = OTHERWISE_IN.flatMap(([operations, keys]) =>
      keys
        .filter((line) => !gaps.some(([id, key]) => key === line && operations.test(id) && !(key in OTHERWISE)))
        .map((line) => `${operations} ${line}`),
    );

    expect([...inGeneral, ...inSome]).toEqual([]);
  });

  it('has no other root field without an operation', () => {
    const explained = new Set([...reached.values(), ...Object.keys(OF_GRAPHQL)]);
    const roots = ['Query', 'Mutation', 'Subscription'].flatMap((name) => {
      const type = schema.getType(name);
      return isObjectType(type) ? Object.keys(type.getFields()).map((field) => `${name}.${field}`) : [];
    });

    expect(roots.filter((coordinate) => !explained.has(coordinate))).toEqual([]);
  });
});
