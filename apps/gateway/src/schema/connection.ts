import {
  GraphQLBoolean,
  type GraphQLFieldConfigArgumentMap,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import type { ReadContext } from '../node.ts';
import type { ObjectShape, ObjectSource } from './object-type.ts';
import { DEFAULT_PAGE, type ListPage, MAX_PAGE, MAX_SKIP } from './page.ts';
import { type ProblemObject, problemInterface } from './problem.ts';
import { field, type SchemaBuild } from './schema-build.ts';

/** Returns the arguments of a connection. The form of cursors depends on whether its list can be sorted. */
export function pageArgs(orderable: boolean, enterable = false): GraphQLFieldConfigArgumentMap {
  const offsets = orderable
    ? ' With `ordering`, a cursor counts rows, so rows that are added or deleted before it shift the page.'
    : '';
  return {
    first: {
      type: new GraphQLNonNull(GraphQLInt),
      defaultValue: DEFAULT_PAGE,
      description: `Number of rows to return, 0 to ${MAX_PAGE}.`,
    },
    after: {
      type: GraphQLString,
      description: `Continue after this cursor of an earlier page of the same list. Rows that are added or deleted meanwhile do not cause other rows to be repeated or skipped.${offsets}`,
    },
    ...(enterable && {
      skip: {
        type: new GraphQLNonNull(GraphQLInt),
        defaultValue: 0,
        description: `Number of rows to skip, 0 to ${MAX_SKIP}, to read the middle of a long list. Cannot be combined with \`after\`. Cursors then count rows, and you can continue from them only with \`ordering\`.`,
      },
    }),
  };
}

export interface PageInfo {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly startCursor: () => string | null;
  readonly endCursor: () => string | null;
}

export interface ConnectionData {
  readonly edges: readonly { readonly cursor: () => string; readonly node: ObjectSource }[];
  readonly pageInfo: PageInfo;
  readonly totalCount: number;
  readonly revision: number | null;
  readonly problem: ProblemObject | null;
  /** The page as the core sent it, and how it was reached; null if it could not be read. */
  readonly page: object | null;
  readonly view: ReadContext;
}

/** A page as the core sent it, and how it was reached. */
export interface SentPage<Row> {
  readonly list: ListPage<Row>;
  readonly body: object;
  readonly revision: number | null;
  readonly view: ReadContext;
}

export function connectionFrom<Row>(
  { list: page, body, revision, view }: SentPage<Row>,
  toSource: (row: Row) => ObjectSource,
): ConnectionData {
  const edges = page.rows.map(({ row, cursor }) => ({ cursor, node: toSource(row) }));
  // Cursors are computed only if a field selects them.
  const { hasNextPage, hasPreviousPage, count: totalCount } = page;
  const pageInfo = {
    hasNextPage,
    hasPreviousPage,
    startCursor: () => edges[0]?.cursor() ?? null,
    endCursor: () => edges.at(-1)?.cursor() ?? null,
  };
  return { edges, pageInfo, totalCount, revision, problem: null, page: body, view };
}

/**
 * Returns the connection of a list that is forbidden or cannot be evaluated. It has no rows and contains the reason.
 */
export function presentUnreadableConnection(problem: ProblemObject): ConnectionData {
  const pageInfo = { hasNextPage: false, hasPreviousPage: false, startCursor: () => null, endCursor: () => null };
  return { edges: [], pageInfo, totalCount: 0, revision: null, problem, page: null, view: {} };
}

/** Returns the connection type of a node type, with its edge type. */
export function connectionType(build: SchemaBuild, { name, type }: ObjectShape): GraphQLObjectType {
  return build.once(
    `${name}Connection`,
    () =>
      new GraphQLObjectType({
        name: `${name}Connection`,
        description: `A page of objects of the type ${name}.`,
        fields: () => ({
          edges: field({
            type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(edgeType(build, name, type)))),
            description: 'The rows of this page.',
          }),
          pageInfo: field({
            type: new GraphQLNonNull(pageInfoType(build)),
            description: 'The position of this page in the list.',
          }),
          totalCount: field({
            type: new GraphQLNonNull(GraphQLInt),
            description: 'Total number of rows.',
          }),
          revision: field<ConnectionData>({
            type: GraphQLInt,
            description:
              'Revision of the organization at which this page was read. Pages with the same revision are consistent.',
            resolve: ({ revision }, _, { sources }) => {
              sources.noteRevision();
              return revision;
            },
          }),
          problem: field({
            type: problemInterface(build),
            description:
              'The reason why the list cannot be read: the caller has no access to its parent, or one of its texts cannot be evaluated. Null for a readable list.',
          }),
          ...build.fieldsOf(`${name}Connection`),
        }),
      }),
  );
}

function edgeType(build: SchemaBuild, name: string, type: GraphQLObjectType): GraphQLObjectType {
  return build.once(
    `${name}Edge`,
    () =>
      new GraphQLObjectType({
        name: `${name}Edge`,
        description: `One ${name} of a page, with its cursor.`,
        fields: {
          cursor: field({
            type: new GraphQLNonNull(GraphQLString),
            description: 'Opaque cursor of this row, to pass as `after`.',
          }),
          node: field({ type: new GraphQLNonNull(type), description: `The ${name}.` }),
        },
      }),
  );
}

function pageInfoType(build: SchemaBuild): GraphQLObjectType {
  const flag = (description: string) => field({ type: new GraphQLNonNull(GraphQLBoolean), description });
  const cursor = (description: string) => field({ type: GraphQLString, description });
  return build.once(
    'PageInfo',
    () =>
      new GraphQLObjectType({
        name: 'PageInfo',
        description: 'The position of a page in its list.',
        fields: {
          hasNextPage: flag('Whether there are rows after this page.'),
          hasPreviousPage: flag('Whether there are rows before this page.'),
          startCursor: cursor('Cursor of the first row of this page.'),
          endCursor: cursor('Cursor of the last row of this page, to pass as `after`.'),
        },
      }),
  );
}
