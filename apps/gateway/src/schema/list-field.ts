import type { Operation } from '@strata/contract';
import { Failure } from '@strata/domain';
import { GraphQLNonNull, type GraphQLResolveInfo } from 'graphql';
import type { GatewayContext } from '../context.ts';
import type { Query } from '../core.ts';
import type { Loaders } from '../loaders.ts';
import { idsIn, type ReadContext } from '../node.ts';
import type { Assembly } from './assembly.ts';
import { connectionFrom, connectionType, pageArgs, unreadableConnection } from './connection.ts';
import { OWN_REQUEST } from './cost.ts';
import { uncapitalized } from './names.ts';
import type { Presented } from './object-type.ts';
import { filled, operation, pathOf, placeholdersOf } from './operations.ts';
import { type CorePage, type PageArgs, pageRequest } from './page.ts';
import { pageMembers } from './page-members.ts';
import { problemOf } from './problem.ts';
import { idArgs, queryArgs } from './query-args.ts';
import { type FieldArgs, field } from './schema-build.ts';
import { selects } from './selection.ts';

/** A list of the core as a connection, with the filters of the contract. */
export interface ListDeclaration {
  /** Id of the contract's operation. */
  readonly operation: string;
  /** Name of the type of its rows. */
  readonly of: string;
  /** Name of the field; that of the type with an s when left out. */
  readonly many?: string;
  /** The type whose field it is; absent: a field of Query. */
  readonly under?: string;
  /** What the list shows and in which order. */
  readonly about: string;
  /** Whether a page can begin anywhere, as screens need that show a part of a long list. */
  readonly enterable?: boolean;
  /** Query parameters that the field decides by itself. */
  readonly without?: readonly string[];
  /** Query parameters of the core besides those that were given; `isSelected` says whether a field of the rows is. */
  readonly query?: (query: Query, isSelected: (field: string) => boolean) => Query;
  /** How a row was reached. */
  readonly viewOf?: (args: FieldArgs, list: RowsOfList) => (row: never) => ReadContext;
}

/** What a list knows of itself, for the views of its rows. */
export interface RowsOfList {
  readonly moment: Query;
  readonly above: Presented<{ readonly id: string; readonly url: string }> | undefined;
  /** Whether the page holds all rows of the list. */
  readonly isCompleteList: boolean;
}

type ListArgs = FieldArgs & PageArgs;
type Above = Presented<{ readonly id: string; readonly url: string }>;

export function addList(assembly: Assembly, declared: ListDeclaration): void {
  const { build } = assembly;
  const { under, about } = declared;
  const listing = operation(declared.operation);
  const shape = assembly.shapeNamed(declared.of);
  const path = pathOf(listing);
  const args = queryArgs(build, listing.query, { without: declared.without });
  const ids = under ? {} : idArgs(build, placeholdersOf(path));
  const isOrderable = listing.query !== undefined && 'ordering' in listing.query.shape;

  const resolve = async (
    source: Above | undefined,
    variables: ListArgs,
    { core, loaders }: GatewayContext,
    info: GraphQLResolveInfo,
  ) => {
    const above = under ? source : undefined;
    const at = filled(path, above ? idsAbove(path, above.row.url) : variables);
    const page = pageRequest({ operation: listing, path: at, ordering: orderingOf(variables) }, variables);
    const moment = await momentOf(loaders, args.moment(variables), above?.view);
    const coreQuery = { ...args.query(variables), ...knownTo(listing, moment) };
    const isSelected = (name: string) => selects(info, ['edges', 'node', name]);
    const query = { ...(declared.query?.(coreQuery, isSelected) ?? coreQuery), ...page.query };
    const { body, revision } = await core.get<CorePage<object>>(at, query);
    const list = page.read(body);
    const isCompleteList = !list.hasNextPage && !list.hasPreviousPage;
    const viewOf = declared.viewOf?.(variables, { moment, above, isCompleteList }) as
      | ((row: object) => ReadContext)
      | undefined;
    const sent = { list, body, revision, view: { moment } };
    return connectionFrom(sent, (row) => shape.present(row, viewOf?.(row) ?? { moment }));
  };

  build.add(`${shape.name}Connection`, pageMembers(assembly, listing.response));
  const name = declared.many ?? `${uncapitalized(shape.name)}s`;
  build.add(under ?? 'Query', {
    [name]: field<Above | undefined, ListArgs>({
      type: new GraphQLNonNull(connectionType(build, shape)),
      description: about,
      args: { ...ids, ...args.config, ...pageArgs(isOrderable, declared.enterable) },
      reaches: listing.reaches,
      ...(under && { cost: OWN_REQUEST }),
      resolve: under
        ? async (source, args, context, info) => resolve(source, args, context, info).catch(unreadableListOf)
        : resolve,
    }),
  });
}

/** One object among many must not take the others with it: its list is empty and says why. */
function unreadableListOf(error: unknown) {
  const isItsOwn = error instanceof Failure && (error.kind === 'forbidden' || error.kind === 'unprocessable');
  const problem = isItsOwn ? problemOf(error) : null;
  if (!problem) throw error;
  return unreadableConnection(problem);
}

function orderingOf({ ordering }: FieldArgs): string | null {
  return typeof ordering === 'string' && ordering !== '' ? ordering : null;
}

/** The point in time that was asked for, else the one of the object above. */
export async function momentOf(loaders: Loaders, query: Query, above: ReadContext | undefined): Promise<Query> {
  return Object.keys(query).length > 0 ? query : loaders.pinned(above?.moment);
}

/** What of a point in time an operation understands; what has no past is shown as it is. */
export function knownTo({ query }: Operation, moment: Query): Query {
  if (!query || !('as_of' in query.shape)) return {};
  return Object.fromEntries(Object.entries(moment).filter(([key]) => key in query.shape));
}

/** The ids in a path, from the link of the object that the path goes on from. */
export function idsAbove(path: string, link: string): Record<string, string> {
  const above = path.slice(0, path.lastIndexOf('}/') + 2);
  const ids = idsIn(link, above) ?? [];
  return Object.fromEntries(placeholdersOf(above).map((name, at) => [name, ids[at] ?? '']));
}
