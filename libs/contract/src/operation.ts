import { type Ability, type ObjectType, TYPES_READ_BY_PROGRAMS } from '@strata/domain';
import { z } from 'zod';
import { DeletionQuery } from './last-read.ts';
import { BY_NAME, type SortedBy } from './list-cursor.ts';

/** The methods of the standard operations of a noun. */
interface StandardMethods {
  readonly list: 'get';
  readonly retrieve: 'get';
  readonly create: 'post';
  readonly update: 'put';
  readonly partial_update: 'patch';
  readonly destroy: 'delete';
}

type HttpMethod = StandardMethods[keyof StandardMethods];

/**
 * The permission that an operation requires. `nothing` also allows anonymous callers, and `read` allows every member.
 * An object can require additional permissions.
 */
type Requirement = Ability | 'nothing';

/** The public description of one route of the API. */
export interface Operation {
  readonly id: string;
  readonly method: HttpMethod;
  /** The path with placeholders in braces and a final slash. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly requires: Requirement;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Whether the body can also be sent as a form. Nested bodies cannot. */
  readonly bodyAs?: 'json_or_form' | 'json';
  /** The maximum length of the body; 1 MiB by default. */
  readonly bodyBytesMax?: number;
  /** Whether the body can be omitted. */
  readonly bodyOptional?: boolean;
  readonly status: 200 | 201 | 202 | 204;
  /** Absent if the response has no body. */
  readonly response?: z.ZodType;
  /** The media type of the response if it is not JSON. */
  readonly produces?: readonly string[];
  /** The error statuses of this operation, in addition to those that every operation has. */
  readonly errorStatuses: readonly number[];
  /** Whether reads support `ETag` and `If-None-Match`, and writes support `If-Match`. */
  readonly conditional?: boolean;
  /**
   * The protocol that defines the operation: its errors have the protocol's shape, and it only reads, although its
   * method is that of a write.
   */
  readonly protocol?: 'ofrep';
  /**
   * For a list: the members that define the default order. Absent if the rows do not contain them; see `listCursor`.
   */
  readonly sortedBy?: SortedBy;
  /** The type of the object that the operation writes as part of a changeset; see `changesetUse`. */
  readonly writes?: ObjectType;
  /** The noun whose standard operation this is. */
  readonly noun?: ApiNoun;
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

/** A noun of the API: its path and its shapes. Its operations are derived from them. */
export interface ApiNoun {
  readonly tag: string;
  /** The prefix of the operation ids. Nested nouns have several words. */
  readonly prefix: string;
  readonly collection: string;
  readonly singular: string;
  readonly plural: string;
  readonly shapes: Shapes;
  readonly read: Requirement;
  readonly write: Requirement;
  readonly bodyAs?: Operation['bodyAs'];
  /** Additional error statuses of create, update and delete. */
  readonly errorStatuses?: {
    readonly create?: readonly number[];
    readonly update?: readonly number[];
    readonly delete?: readonly number[];
  };
  /** Whether objects and lists have an ETag; false by default. */
  readonly conditional?: boolean;
  readonly deletable?: boolean;
  /** The members that define the default order of the list; null if its rows do not contain them. Default: by name. */
  readonly sortedBy?: SortedBy | null;
  /** The type of its objects, if their writes can be part of a changeset. */
  readonly writes?: ObjectType;
  /** How people address its objects, if it differs from the name. */
  readonly addressing?: Addressing;
}

/** How people address the objects of a noun. The command line is generated from it. */
interface Addressing {
  /** The word for one object, if it is not the singular without its article. */
  readonly word?: string;
  /** The members of a row that together identify an object; by default its name. */
  readonly by?: readonly string[];
  /** The members that contain links, with the prefixes of the nouns that they lead to. */
  readonly links?: Readonly<Record<string, readonly string[]>>;
  /** Those of these members that can also contain any other text. */
  readonly freeLinks?: readonly string[];
  /** The members of bodies that contain a credential. */
  readonly credentials?: readonly string[];
}

/** Returns the noun unchanged. The type of each schema is kept, so that controllers are type-checked against it. */
export function noun<const N extends ApiNoun>(definition: N): N {
  return definition;
}

/** Declares an operation that is not one of the standard ones. */
export function operation<const O extends Operation>(definition: O): O {
  return definition;
}

/** Returns the operations unchanged. The type of each is kept, so that clients are type-checked against them. */
export function operations<const O extends Operation>(definitions: readonly O[]): readonly O[] {
  return definitions;
}

/** Returns whether an operation only reads, so that it supports `If-None-Match` and needs no `Idempotency-Key`. */
export function isRead({ method, protocol }: Pick<Operation, 'method' | 'protocol'>): boolean {
  return method === 'get' || protocol !== undefined;
}

/** The schema of a noun with this name; never if the noun does not declare it. */
type ShapeOf<N extends ApiNoun, Name extends keyof Shapes> = N['shapes'] extends {
  readonly [Shape in Name]: infer Schema extends z.ZodType;
}
  ? Schema
  : never;

interface StandardOperation<N extends ApiNoun, Action extends keyof StandardMethods, Query, Body, Response>
  extends Operation {
  readonly id: `${N['prefix']}_${Action}`;
  readonly method: StandardMethods[Action];
  readonly path: Action extends 'list' | 'create' ? N['collection'] : `${N['collection']}{id}/`;
  readonly query?: Query & z.ZodObject;
  readonly body?: Body & z.ZodType;
  readonly response?: Response & z.ZodType;
}

/** A write of a noun; never if the noun does not declare its body. */
type WriteWithBody<
  N extends ApiNoun,
  Action extends keyof StandardMethods,
  Body extends keyof Shapes,
  Response = ShapeOf<N, 'item'>,
> = [ShapeOf<N, Body>] extends [never]
  ? never
  : StandardOperation<N, Action, ShapeOf<N, 'writeQuery'>, ShapeOf<N, Body>, Response>;

type CreatedOf<N extends ApiNoun> = ShapeOf<N, N['shapes'] extends { created: z.ZodType } ? 'created' : 'item'>;

type StandardOperations<N extends ApiNoun> =
  | StandardOperation<N, 'list', ShapeOf<N, 'listQuery'>, never, ShapeOf<N, 'page'>>
  | StandardOperation<N, 'retrieve', ShapeOf<N, 'itemQuery'>, never, ShapeOf<N, 'item'>>
  | WriteWithBody<N, 'create', 'create', CreatedOf<N>>
  | WriteWithBody<N, 'update', 'update'>
  | WriteWithBody<N, 'partial_update', 'patch'>
  | (N extends { deletable: false } ? never : StandardOperation<N, 'destroy', z.ZodObject, never, never>);

/** Returns those standard operations of a noun for which it declares schemas. */
export function standardOperations<const N extends ApiNoun>(noun: N): StandardOperations<N>[] {
  const nounOperations = [...readOperations(noun), ...writeOperations(noun)].map((operation) => ({
    ...operation,
    noun,
  }));
  return nounOperations as readonly Operation[] as StandardOperations<N>[];
}

function readOperations(noun: ApiNoun): Operation[] {
  const { tag, prefix, collection, singular, plural, shapes, read, conditional, sortedBy = BY_NAME } = noun;
  const { item, page, listQuery, itemQuery } = shapes;
  const commonMembers = { method: 'get', tag, requires: read, status: 200, errorStatuses: [] } as const;
  return [
    {
      ...commonMembers,
      id: `${prefix}_list`,
      path: collection,
      summary: `List ${plural}`,
      query: listQuery,
      response: page,
      ...(sortedBy && { sortedBy }),
    },
    {
      ...commonMembers,
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
  const {
    tag,
    prefix,
    collection,
    singular,
    shapes,
    write,
    writes,
    bodyAs,
    errorStatuses = {},
    conditional = false,
  } = noun;
  const { item, create, created = item, update, patch, writeQuery: query } = shapes;
  const path = `${collection}{id}/`;
  const commonMembers = { tag, requires: write, query, bodyAs, errorStatuses: [], ...(writes && { writes }) } as const;
  const changing = { status: 200, response: item, errorStatuses: errorStatuses.update ?? [], conditional } as const;
  const operations: Operation[] = [];
  if (create) {
    const id = `${prefix}_create`;
    const creation = { id, path: collection, summary: `Create ${singular}`, body: create, response: created };
    operations.push({
      ...commonMembers,
      ...creation,
      method: 'post',
      status: 201,
      errorStatuses: errorStatuses.create ?? [],
    });
  }
  if (update) {
    const replacement = { id: `${prefix}_update`, path, summary: `Update ${singular}`, body: update };
    operations.push({ ...commonMembers, ...changing, ...replacement, method: 'put' });
  }
  if (patch) {
    const patching = { id: `${prefix}_partial_update`, path, summary: `Update parts of ${singular}`, body: patch };
    operations.push({ ...commonMembers, ...changing, ...patching, method: 'patch' });
  }
  if (noun.deletable !== false) {
    const deletion = { id: `${prefix}_destroy`, path, summary: `Delete ${singular}` };
    const isReadProtected = writes !== undefined && TYPES_READ_BY_PROGRAMS.has(writes);
    const forced = isReadProtected ? { query: (query ?? z.object({})).extend(DeletionQuery.shape) } : {};
    operations.push({
      ...commonMembers,
      ...forced,
      ...deletion,
      method: 'delete',
      status: 204,
      errorStatuses: errorStatuses.delete ?? [],
      conditional,
    });
  }
  return operations;
}
