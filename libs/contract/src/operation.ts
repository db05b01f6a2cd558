import type { Ability } from '@strata/domain';
import type { z } from 'zod';
import { BY_NAME, type SortedBy } from './list-cursor.ts';

export type HttpMethod = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** `nothing`: open to everybody. Where any member will do it is `read`; the thing itself may ask for more. */
export type Requirement = Ability | 'nothing';

/** One route of the API, as far as the outside can know it. */
export interface Operation {
  readonly id: string;
  readonly method: HttpMethod;
  /** With placeholders in braces and the final slash. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly requires: Requirement;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Nested bodies cannot be written as forms. */
  readonly bodyAs?: 'json_or_form' | 'json';
  /** How long the body may be; a MiB unless told. */
  readonly bodyBytesMax?: number;
  /** A body may be left out altogether. */
  readonly bodyOptional?: boolean;
  readonly status: 200 | 201 | 202 | 204;
  /** Absent: no body. */
  readonly response?: z.ZodType;
  /** Media type of the answer when it is not JSON. */
  readonly produces?: readonly string[];
  /** Statuses of refusals that are particular to this operation; those every operation has come by themselves. */
  readonly refusals: readonly number[];
  /** Reads: `ETag` and `If-None-Match`. Writes: `If-Match`. */
  readonly conditional?: boolean;
  /** Of a list: what its rows show of the default order. Absent: they do not show it; see `listCursor`. */
  readonly sortedBy?: SortedBy;
}

interface Shapes {
  readonly item: z.ZodType;
  readonly page: z.ZodType;
  readonly listQuery: z.ZodObject;
  readonly itemQuery?: z.ZodObject;
  readonly writeQuery?: z.ZodObject;
  readonly create?: z.ZodType;
  readonly created?: z.ZodType;
  readonly update?: z.ZodType;
  readonly patch?: z.ZodType;
}

/** A noun of the API: where it stands and which shapes it has; its operations follow from that. */
export interface ApiNoun {
  readonly tag: string;
  /** Begins the operation ids; nested nouns have several words in it. */
  readonly prefix: string;
  readonly collection: string;
  readonly singular: string;
  readonly plural: string;
  readonly shapes: Shapes;
  readonly read: Requirement;
  readonly write: Requirement;
  readonly bodyAs?: Operation['bodyAs'];
  /** What a creation, a change or a deletion may be refused with besides. */
  readonly refusals?: {
    readonly create?: readonly number[];
    readonly update?: readonly number[];
    readonly delete?: readonly number[];
  };
  /** Links and lists lack an ETag unless the noun says so. */
  readonly conditional?: boolean;
  readonly deletable?: boolean;
  /** The default order of the list as its rows show it, or null when they do not; by name unless told. */
  readonly sortedBy?: SortedBy | null;
}

/** Keeps the type of each shape, so that whoever answers the operations knows what comes in and goes out. */
export function noun<const N extends ApiNoun>(described: N): N {
  return described;
}

/** The same for an operation that is none of the usual ones. */
export function operation<const O extends Operation>(described: O): O {
  return described;
}

/** The usual operations of a noun, as far as it has shapes for them. */
export function operationsOf(noun: ApiNoun): Operation[] {
  return [...readOperations(noun), ...writeOperations(noun)];
}

function readOperations(noun: ApiNoun): Operation[] {
  const { tag, prefix, collection, singular, plural, shapes, read, conditional, sortedBy = BY_NAME } = noun;
  const { item, page, listQuery, itemQuery } = shapes;
  const common = { method: 'get', tag, requires: read, status: 200, refusals: [] } as const;
  return [
    {
      ...common,
      id: `${prefix}_list`,
      path: collection,
      summary: `List ${plural}`,
      query: listQuery,
      response: page,
      ...(sortedBy && { sortedBy }),
    },
    {
      ...common,
      id: `${prefix}_retrieve`,
      path: `${collection}{id}/`,
      summary: `Read ${singular}`,
      query: itemQuery,
      response: item,
      conditional: conditional ?? false,
    },
  ];
}

function writeOperations(noun: ApiNoun): Operation[] {
  const { tag, prefix, collection, singular, shapes, write, bodyAs, refusals = {}, conditional = false } = noun;
  const { item, create, created = item, update, patch, writeQuery: query } = shapes;
  const path = `${collection}{id}/`;
  const common = { tag, requires: write, query, bodyAs, refusals: [] } as const;
  const changing = { status: 200, response: item, refusals: refusals.update ?? [], conditional } as const;
  const operations: Operation[] = [];
  if (create) {
    const id = `${prefix}_create`;
    const own = { id, path: collection, summary: `Create ${singular}`, body: create, response: created };
    operations.push({ ...common, ...own, method: 'post', status: 201, refusals: refusals.create ?? [] });
  }
  if (update) {
    const own = { id: `${prefix}_update`, path, summary: `Change ${singular}`, body: update };
    operations.push({ ...common, ...changing, ...own, method: 'put' });
  }
  if (patch) {
    const own = { id: `${prefix}_partial_update`, path, summary: `Change parts of ${singular}`, body: patch };
    operations.push({ ...common, ...changing, ...own, method: 'patch' });
  }
  if (noun.deletable !== false) {
    const own = { id: `${prefix}_destroy`, path, summary: `Delete ${singular}` };
    operations.push({ ...common, ...own, method: 'delete', status: 204, refusals: refusals.delete ?? [], conditional });
  }
  return operations;
}
