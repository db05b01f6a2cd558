import type { ApiNoun, Operation, SortedBy } from '@strata/contract';
import type { Revision } from '@strata/domain';
import type { z } from 'zod';
import type { Caller } from '../caller.ts';
import type { Command, WriteResult } from '../ledger/command.ts';
import type { PageResult, RowResult, SnapshotReader } from '../postgres/snapshot-reader.ts';
import type { PointInTime } from '../postgres/versioned-table.ts';
import type { PathParameters } from './operation-controller.ts';
import type { Call, Precondition } from './request.ts';

type ShapeOf<N extends ApiNoun, Name extends keyof ApiNoun['shapes']> = N['shapes'] extends {
  readonly [K in Name]: infer S;
}
  ? S
  : never;
type Output<S> = [S] extends [z.ZodType] ? z.output<S> : never;
type QueryOf<S> = [S] extends [z.ZodObject] ? z.output<S> : Readonly<Record<string, never>>;

/** The response item of a noun. */
export type ItemOf<N extends ApiNoun> = Output<ShapeOf<N, 'item'>>;
/** The response to the creation of a noun: the item, or more if part of it is shown only once. */
export type CreatedOf<N extends ApiNoun> = N['shapes'] extends { readonly created: infer S } ? Output<S> : ItemOf<N>;
/** The query of reading one object; the defaults if a write takes no query. */
export type ItemQueryOf<N extends ApiNoun> = QueryOf<ShapeOf<N, 'itemQuery'>>;

interface ResourceRequest {
  readonly call: Call;
  readonly caller: Caller;
}

export interface ListRequest<N extends ApiNoun, Parent> extends ResourceRequest {
  /** The other ids of the path, such as the project of a template. */
  readonly parent: Parent;
  readonly query: Output<N['shapes']['listQuery']>;
}

export interface ReadRequest<N extends ApiNoun, Key> extends ResourceRequest {
  readonly key: Key;
  readonly query: ItemQueryOf<N>;
  /** The point in time if the object is read for a write. In other requests the query contains it. */
  readonly at?: PointInTime;
  /** The transaction in which to read. If absent, committed rows are read. */
  readonly reader?: SnapshotReader;
}

export interface CreateRequest<N extends ApiNoun, Parent> extends ResourceRequest {
  readonly parent: Parent;
  readonly input: Output<ShapeOf<N, 'create'>>;
}

export interface ChangeRequest<N extends ApiNoun, Key> extends ResourceRequest {
  readonly key: Key;
  /** The body of PUT or PATCH. */
  readonly input: Output<ShapeOf<N, 'update'>> | Output<ShapeOf<N, 'patch'>>;
  readonly precondition: Precondition;
}

export interface RemoveRequest<Key> extends ResourceRequest {
  readonly key: Key;
  readonly precondition: Precondition;
}

/** A request for the response to a write, after its commit. */
export interface StoredRequest<N extends ApiNoun> extends ResourceRequest {
  readonly query: ItemQueryOf<N>;
  /** The revision of the write. */
  readonly revision: Revision;
}

export type PreparedCommandOf<Result> = Command<Result> | Promise<Command<Result>>;

/**
 * The part of a noun that its feature implements: how to find, read, change and present it. `resourceController`
 * derives the rest from the contract's operations: parsing, status, `Location`, pages, `ETag`, `If-Match`.
 *
 * A reader returns a `Row`. A `Key` identifies a row, and a `Parent` identifies its collection. `Made` and `Stored` are
 * the results of the commands that create and change it: the row as it was read inside the write.
 */
export interface NounResource<N extends ApiNoun, Row, Key, Parent, Made = Row, Stored = Row> {
  /** Returns the collection of a path; throws 404 for an impossible id. Omitted if there is only one collection. */
  readParent?(path: PathParameters, call: Call): Parent;
  /** Returns the object of a path; throws 404 for an impossible id. */
  readKey(path: PathParameters, call: Call): Key;
  list?(request: ListRequest<N, Parent>): Promise<PageResult<Row>>;
  /** Replaces `list` if responses are cached: sends the whole response with its headers. */
  answerList?(call: Call, path: PathParameters): Promise<unknown>;
  retrieve(request: ReadRequest<N, Key>): Promise<RowResult<Row>>;
  /**
   * If true, responses about the present are stored. The revision and the caller's permissions must determine everything
   * that they show, and they must show no secrets.
   */
  readonly isStored?: boolean;
  /** Replaces `retrieve` for GET in the same way; writes still use `retrieve`. */
  answerOne?(call: Call, path: PathParameters): Promise<unknown>;
  create?(request: CreateRequest<N, Parent>): PreparedCommandOf<Made>;
  /**
   * Replaces `create` if the new object does not belong to the caller's organization, so that it is not a command of
   * its ledger.
   */
  createOutsideLedger?(request: CreateRequest<N, Parent>): Promise<RowResult<Row>>;
  change?(request: ChangeRequest<N, Key>): PreparedCommandOf<Stored>;
  remove?(request: RemoveRequest<Key>): PreparedCommandOf<unknown>;
  presentItem(row: Row, call: Call, query: ItemQueryOf<N>): ItemOf<N>;
  /** Implemented if the response to a creation contains more than the item. */
  presentCreated?(created: Made, call: Call): CreatedOf<N>;
  /** Implemented if a response needs data that exists only after the commit, or that a worker must evaluate. */
  afterCommit?(stored: Made | Stored, request: StoredRequest<N>): Promise<Row>;
  /**
   * Implemented if the response to a change shows texts. Throws 403 if the caller may not see them, before the change is
   * made. Called only for callers who may not reveal secrets.
   */
  assertShown?(request: { readonly call: Call; readonly key: Key; readonly query: ItemQueryOf<N> }): Promise<unknown>;
  /** Returns the part of a response that its entity tag covers. The default is the whole response. */
  tagged?(item: ItemOf<N>): unknown;
  /** The sort columns of a list as paths into a row. The default is name and id. */
  readonly sortedBy?: SortedBy;
  /**
   * If true, writes accept the query of reads. An invalid query is rejected before anything is stored, and `If-Match`
   * refers to the response for that query.
   */
  readonly takesQueryInWrites?: boolean;
}

/** A request of another operation, with query and body as the contract parses them. */
export interface ActionRequest<O extends Operation> extends ResourceRequest {
  readonly path: PathParameters;
  readonly query: QueryOf<O['query']>;
  readonly input: Output<O['body']>;
}

/** Operations by the names that a feature uses for them. */
export type Operations = Readonly<Record<string, Operation>>;

/** An operation that writes: its command, which can be part of a changeset, and its response to a separate request. */
export interface WriteAction<O extends Operation> {
  /** Returns the result of a dry run, or null if the request is not a dry run. */
  preview?(request: ActionRequest<O>): Promise<WriteResult<unknown>> | null;
  command(request: ActionRequest<O>): PreparedCommandOf<unknown>;
  answer(request: ActionRequest<O>, written: WriteResult<unknown>): unknown;
}

/** One handler per operation. Its result is the response body. */
export type Actions<Ops extends Operations> = {
  readonly [Name in keyof Ops]: ((request: ActionRequest<Ops[Name]>) => unknown) | WriteAction<Ops[Name]>;
};
