import type { Type } from '@nestjs/common';
import { ArgsType, Field, Int, ObjectType } from '@nestjs/graphql';
import { badInput } from '../errors.ts';
import type { Shape } from './shape.ts';

export const DEFAULT_PAGE = 50;
/** The largest page; it bounds what one answer can hold. */
export const MAX_PAGE = 200;
/** The largest page that the core gives out. */
const CORE_PAGE = 2_500;

@ArgsType()
export class PageArgs {
  @Field(() => Int, { defaultValue: DEFAULT_PAGE, description: `How many rows to return, 1 to ${MAX_PAGE}.` })
  first!: number;

  @Field(() => String, { nullable: true, description: 'Continue after this cursor of an earlier page.' })
  after?: string | null;
}

@ObjectType({ description: 'Where a page lies in its list.' })
export class PageInfo {
  @Field(() => Boolean, { description: 'Whether rows follow this page.' })
  hasNextPage!: boolean;

  @Field(() => Boolean, { description: 'Whether rows come before this page.' })
  hasPreviousPage!: boolean;

  @Field(() => String, { nullable: true, description: 'Cursor of the first row of this page.' })
  startCursor!: string | null;

  @Field(() => String, { nullable: true, description: 'Cursor of the last row of this page; hand it back as `after`.' })
  endCursor!: string | null;
}

export interface Edge<Node> {
  readonly cursor: string;
  readonly node: Node;
}

export interface Connection<Node> {
  readonly edges: readonly Edge<Node>[];
  readonly pageInfo: PageInfo;
  readonly totalCount: number;
  readonly revision: number | null;
}

const connections = new Map<string, Type<object>>();

/** The connection of one node type; made once, with its edge. */
export function connectionOf<Row>({ name, type }: Shape<Row>): Type<object> {
  const made = connections.get(name);
  if (made) return made;

  @ObjectType(`${name}Edge`, { description: `One ${name} in a page.` })
  class NodeEdge {
    @Field(() => String, { description: 'Opaque position of this row; hand it back as `after`.' })
    cursor!: string;

    @Field(() => type, { description: `The ${name} itself.` })
    node!: object;
  }

  @ObjectType(`${name}Connection`, { description: `A page of a list of ${name}.` })
  class NodeConnection {
    @Field(() => [NodeEdge], { description: 'The rows of this page.' })
    edges!: NodeEdge[];

    @Field(() => PageInfo, { description: 'Where this page lies in the list.' })
    pageInfo!: PageInfo;

    @Field(() => Int, { description: 'How many rows the whole list has.' })
    totalCount!: number;

    @Field(() => Int, {
      nullable: true,
      description: 'Revision of the organization that this page was read at; two pages with the same one fit together.',
    })
    revision!: number | null;
  }
  connections.set(name, NodeConnection);
  return NodeConnection;
}

/** A page of the core that holds the wanted rows, and how many of its rows to leave out at the start. */
export interface Window {
  readonly page: number;
  readonly page_size: number;
  readonly skip: number;
  readonly offset: number;
  readonly first: number;
}

/**
 * Finds the one page of the core that covers the rows [offset, offset + first). The core counts pages and Relay counts
 * rows; a page size always exists for which the rows do not straddle two pages.
 */
export function windowOf({ first, after }: PageArgs): Window {
  if (first < 1 || first > MAX_PAGE) throw badInput(`\`first\` must be between 1 and ${MAX_PAGE}.`);
  const offset = after ? offsetOf(after) : 0;
  for (let size = first; size <= CORE_PAGE; size += 1) {
    const skip = offset % size;
    if (skip + first <= size) return { page: (offset - skip) / size + 1, page_size: size, skip, offset, first };
  }
  throw badInput('This cursor lies outside of the list.');
}

export interface WirePage<Row> {
  readonly count: number;
  readonly results: readonly Row[];
}

export function connectionFrom<Row, Node>(
  window: Window,
  page: WirePage<Row>,
  revision: number | null,
  present: (row: Row) => Node,
): Connection<Node> {
  const rows = page.results.slice(window.skip, window.skip + window.first);
  const edges = rows.map((row, at) => ({ cursor: cursorOf(window.offset + at + 1), node: present(row) }));
  return {
    edges,
    pageInfo: {
      hasNextPage: window.offset + rows.length < page.count,
      hasPreviousPage: window.offset > 0,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    totalCount: page.count,
    revision,
  };
}

/** The rows before and including the one that the cursor belongs to. */
function cursorOf(offset: number): string {
  return Buffer.from(`row:${offset}`).toString('base64url');
}

function offsetOf(cursor: string): number {
  const offset = /^row:(\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
  if (offset === undefined) throw badInput('`after` is not a cursor of this list.');
  return Number(offset);
}
