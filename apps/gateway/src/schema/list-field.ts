import type { Operation } from '@strata/contract';
import { Failure } from '@strata/domain';
import { GraphQLNonNull, type GraphQLResolveInfo } from 'graphql';
import type { GatewayContext } from '../context.ts';
import type { Query } from '../core.ts';
import { isInaccessible } from '../errors.ts';
import type { Loaders } from '../loaders.ts';
import { parseIds, type ReadContext } from '../node.ts';
import type { Assembly } from './assembly.ts';
import { connectionFrom, connectionType, pageArgs, presentUnreadableConnection } from './connection.ts';
import { UNBATCHED_REQUEST_COST } from './cost.ts';
import { uncapitalize } from './names.ts';
import type { ObjectSource } from './object-type.ts';
import { fillPath, listPlaceholders, operation, readablePath } from './operations.ts';
import { type CorePage, type PageArgs, pageRequest } from './page.ts';
import { pageMembers } from './page-members.ts';
import { toProblem } from './problem.ts';
import { idArgs, queryArgs } from './query-args.ts';
import { type FieldArgs, field } from './schema-build.ts';
import { listSelections } from './selection.ts';

/** A list of the core as a connection, with the filters of the contract. */
export interface ListDeclaration {
  /** The id of the contract's operation. */
  readonly operation: string;
  /** The type name of its rows. */
  readonly of: string;
  /** The field name; by default the name of the type followed by an s. */
  readonly many?: string;
  /** The type that has the field; absent for a field of Query. */
  readonly under?: string;
  /** Describes the content and order of the list. */
  readonly about: string;
  /** True if a page can start at any row, which is needed by screens that show part of a long list. */
  readonly enterable?: boolean;
  /** Query parameters that the field sets itself. */
  readonly without?: readonly string[];
  /** Returns additional query parameters for the core. `isSelected` is whether a field of the rows is selected. */
  readonly query?: (query: Query, isSelected: (field: string) => boolean) => Query;
  /** Returns how a row was reached. It may read more for all rows at once, so that their fields need not. */
  readonly createView?: (args: FieldArgs, list: ListContext) => ViewOfRow | Promise<ViewOfRow>;
}

type ViewOfRow = (row: never) => ReadContext;

/** Describes a page for the views of its rows. */
export interface ListContext {
  readonly rows: readonly unknown[];
  readonly pointInTime: Query;
  readonly above: ObjectSource<{ readonly id: string; readonly url: string }> | undefined;
  /** Whether the page contains all rows of the list. */
  readonly isCompleteList: boolean;
  readonly loaders: Loaders;
  readonly info: GraphQLResolveInfo;
}

type ListArgs = FieldArgs & PageArgs;
type Above = ObjectSource<{ readonly id: string; readonly url: string }>;

export function addList(assembly: Assembly, declaration: ListDeclaration): void {
  const { build } = assembly;
  const { under, about } = declaration;
  const listing = operation(declaration.operation);
  const shape = assembly.shapeNamed(declaration.of);
  const path = readablePath(listing);
  const args = queryArgs(build, listing.query, { without: declaration.without });
  const ids = under ? {} : idArgs(build, listPlaceholders(path));
  const isOrderable = listing.query !== undefined && 'ordering' in listing.query.shape;

  const resolve = async (
    source: Above | undefined,
    variables: ListArgs,
    { core, loaders }: GatewayContext,
    info: GraphQLResolveInfo,
  ) => {
    const parentView = under ? source : undefined;
    const at = fillPath(path, parentView ? parentIds(path, parentView.row.url) : variables);
    const page = pageRequest({ operation: listing, path: at, ordering: readOrdering(variables) }, variables);
    const pointInTime = await resolvePointInTime(loaders, args.pointInTime(variables), parentView?.view);
    const coreQuery = { ...args.query(variables), ...pickSupportedPointInTime(listing, pointInTime) };
    const isSelected = (name: string) => listSelections(info, ['edges', 'node', name]).length > 0;
    const query = { ...(declaration.query?.(coreQuery, isSelected) ?? coreQuery), ...page.query };
    const { body, revision } = await core.get<CorePage<object>>(at, query);
    const list = page.read(body);
    const isCompleteList = !list.hasNextPage && !list.hasPreviousPage;
    const rows = list.rows.map(({ row }) => row);
    const context = { rows, pointInTime, above: parentView, isCompleteList, loaders, info };
    const viewOf = (await declaration.createView?.(variables, context)) as ((row: object) => ReadContext) | undefined;
    const listOptions = { list, body, revision, view: { pointInTime } };
    return connectionFrom(listOptions, (row) => shape.toSource(row, viewOf?.(row) ?? { pointInTime }));
  };

  build.add(`${shape.name}Connection`, pageMembers(assembly, listing.response));
  const name = declaration.many ?? `${uncapitalize(shape.name)}s`;
  build.add(under ?? 'Query', {
    [name]: field<Above | undefined, ListArgs>({
      type: new GraphQLNonNull(connectionType(build, shape)),
      description: about,
      args: { ...ids, ...args.config, ...pageArgs(isOrderable, declaration.enterable) },
      reaches: listing.reaches,
      ...(under && { cost: UNBATCHED_REQUEST_COST }),
      resolve: under
        ? async (source, args, context, info) => resolve(source, args, context, info).catch(unreadableList)
        : resolve,
    }),
  });
}

/** One unreadable object must not fail the others: its list is empty and contains the reason. */
function unreadableList(error: unknown) {
  const isItsOwn = error instanceof Failure && (isInaccessible(error) || error.kind === 'unprocessable');
  const problem = isItsOwn ? toProblem(error) : null;
  if (!problem) throw error;
  return presentUnreadableConnection(problem);
}

function readOrdering({ ordering }: FieldArgs): string | null {
  return typeof ordering === 'string' && ordering !== '' ? ordering : null;
}

/** Returns the requested point in time, or that of the parent object. */
export async function resolvePointInTime(
  loaders: Loaders,
  query: Query,
  parentView: ReadContext | undefined,
): Promise<Query> {
  return Object.keys(query).length > 0 ? query : loaders.pinned(parentView?.pointInTime);
}

/** Returns the parts of a point in time that an operation accepts. Objects without history show their current state. */
export function pickSupportedPointInTime({ query }: Operation, pointInTime: Query): Query {
  if (!query || !('as_of' in query.shape)) return {};
  return Object.fromEntries(Object.entries(pointInTime).filter(([key]) => key in query.shape));
}

/** Returns the ids in a path from the link of its parent object. */
export function parentIds(path: string, link: string): Record<string, string> {
  const parentView = path.slice(0, path.lastIndexOf('}/') + 2);
  const ids = parseIds(link, parentView) ?? [];
  return Object.fromEntries(listPlaceholders(parentView).map((name, index) => [name, ids[index] ?? '']));
}
