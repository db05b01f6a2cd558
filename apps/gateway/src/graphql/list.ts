import type { Type } from '@nestjs/common';
import { Args, Context, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import type { Operation, Page } from '@strata/contract';
import type { GatewayContext } from '../context.ts';
import type { Query as Asked } from '../core.ts';
import type { Loaders } from '../loaders.ts';
import { idsIn, type View } from '../node.ts';
import { argsOf } from './args.ts';
import { connectionFrom, connectionOf, type PageArgs, windowOf } from './connection.ts';
import { OWN_REQUEST } from './cost.ts';
import { filled, operation, pathOf, placeholdersOf } from './operations.ts';
import { type Presented, type Shape } from './shape.ts';

export interface Listing<Row> {
  /** Id of the contract's operation. */
  readonly operation: string;
  readonly of: Shape<Row>;
  /** Name of the field; that of the type with an s when left out. */
  readonly many?: string;
  /** The type whose field it is; absent: a field of Query. */
  readonly under?: { readonly type: Type<object> };
  /** What the list shows and in which order. */
  readonly about: string;
  /** Query parameters that the field decides by itself. */
  readonly without?: readonly string[];
}

/** A list of the core as a connection, with the filters of the contract. */
export function listField<Row>({ operation: id, of, many, under, about, without }: Listing<Row>): Type<object> {
  const listing = operation(id);
  const path = pathOf(listing);
  const name = many ?? `${of.name.slice(0, 1).toLowerCase()}${of.name.slice(1)}s`;
  const args = argsOf(listing.query, { paged: true, without, ids: under ? [] : placeholdersOf(path) });
  const connection = connectionOf(of) as Type<object>;
  const root = under
    ? ResolveField(name, () => connection, { description: about, complexity: OWN_REQUEST })
    : Query(() => connection, { name, description: about });

  @(under ? Resolver(() => under.type) : Resolver())
  class Lists {
    @root
    async list(
      @Parent() above: Presented<{ url: string }> | undefined,
      @Args({ type: () => args.type }) given: PageArgs & Readonly<Record<string, unknown>>,
      @Context() { core, loaders }: GatewayContext,
    ) {
      const window = windowOf(given);
      const moment = await momentOf(loaders, args.moment(given), above?.view);
      const query = {
        ...args.query(given),
        ...knownTo(listing, moment),
        page: window.page,
        page_size: window.page_size,
      };
      const at = filled(path, under && above ? idsAbove(path, above.row.url) : given);
      const { body, revision } = await core.get<Page<Row>>(at, query);
      return connectionFrom(window, body, revision, (row) => of.present(row, { moment }));
    }
  }
  return Lists;
}

/** The point in time that was asked for, else the one of the object above. */
export async function momentOf(loaders: Loaders, asked: Asked, above: View | undefined): Promise<Asked> {
  return Object.keys(asked).length > 0 ? asked : loaders.pinned(above?.moment);
}

/** What of a point in time an operation understands; what has no past is shown as it is. */
export function knownTo({ query }: Operation, moment: Asked): Asked {
  if (!query || !('as_of' in query.shape)) return {};
  return Object.fromEntries(Object.entries(moment).filter(([key]) => key in query.shape));
}

/** The ids in a path, from the link of the object that the path goes on from. */
export function idsAbove(path: string, link: string): Record<string, string> {
  const above = path.slice(0, path.lastIndexOf('}/') + 2);
  const ids = idsIn(link, above) ?? [];
  return Object.fromEntries(placeholdersOf(above).map((name, at) => [name, ids[at] ?? '']));
}
