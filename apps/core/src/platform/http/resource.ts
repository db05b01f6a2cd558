import type { ApiNoun, Operation, SortedBy } from '@strata/contract';
import type { Revision } from '@strata/domain';
import type { z } from 'zod';
import type { Caller } from '../caller.ts';
import type { Command, Written } from '../ledger/command.ts';
import type { OneOf, PageOf, SnapshotReader } from '../postgres/snapshot-reader.ts';
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

/** What a noun's answers look like. */
export type ItemOf<N extends ApiNoun> = Output<ShapeOf<N, 'item'>>;
/** What its creation answers: the item, or more where something is shown once. */
export type CreatedOf<N extends ApiNoun> = N['shapes'] extends { readonly created: infer S } ? Output<S> : ItemOf<N>;
/** The query of reading one; the defaults where a write takes no query. */
export type ItemQueryOf<N extends ApiNoun> = QueryOf<ShapeOf<N, 'itemQuery'>>;

interface ResourceRequest {
  readonly call: Call;
  readonly caller: Caller;
}

export interface ListRequest<N extends ApiNoun, Parent> extends ResourceRequest {
  /** What the path says besides, such as the project of a template. */
  readonly parent: Parent;
  readonly query: Output<N['shapes']['listQuery']>;
}

export interface ReadRequest<N extends ApiNoun, Key> extends ResourceRequest {
  readonly key: Key;
  readonly query: ItemQueryOf<N>;
  /** Known when it is read for a write; else the query tells. */
  readonly at?: PointInTime;
  /** The transaction that it is read in; else what is committed is read. */
  readonly reader?: SnapshotReader;
}

export interface CreateRequest<N extends ApiNoun, Parent> extends ResourceRequest {
  readonly parent: Parent;
  readonly input: Output<ShapeOf<N, 'create'>>;
}

export interface ChangeRequest<N extends ApiNoun, Key> extends ResourceRequest {
  readonly key: Key;
  /** Of PUT or of PATCH. */
  readonly input: Output<ShapeOf<N, 'update'>> | Output<ShapeOf<N, 'patch'>>;
  readonly precondition: Precondition;
}

export interface RemoveRequest<Key> extends ResourceRequest {
  readonly key: Key;
  readonly precondition: Precondition;
}

/** An answer to a write that is made once the write is committed. */
export interface StoredRequest<N extends ApiNoun> extends ResourceRequest {
  readonly query: ItemQueryOf<N>;
  /** Of the write. */
  readonly revision: Revision;
}

export type Prepared<Result> = Command<Result> | Promise<Command<Result>>;

/**
 * What a feature says about a noun of the contract: how it is found, read, changed and shown. The rest follows from the
 * contract's operations and is done by `resourceController`: parsing, status, `Location`, pages, `ETag`, `If-Match`.
 *
 * `Row` is what a reader gives, `Key` what names one of them, `Parent` what names the collection, `Made` and `Stored` what
 * the commands of a creation and a change leave behind for the answer: the row as it was read inside the write.
 */
export interface NounResource<N extends ApiNoun, Row, Key, Parent, Made = Row, Stored = Row> {
  /** The collection that a path means; throws 404 for what cannot be an id. Left out where there is only one. */
  parentOf?(path: PathParameters, call: Call): Parent;
  /** The object that a path means; throws 404 for what cannot be an id. */
  keyOf(path: PathParameters, call: Call): Key;
  list?(request: ListRequest<N, Parent>): Promise<PageOf<Row>>;
  /** Instead of `list`, where answers are kept: the whole answer, with its headers. */
  answerList?(call: Call, path: PathParameters): Promise<unknown>;
  retrieve(request: ReadRequest<N, Key>): Promise<OneOf<Row>>;
  /** The same for one; `retrieve` is asked inside writes then. */
  answerOne?(call: Call, path: PathParameters): Promise<unknown>;
  create?(request: CreateRequest<N, Parent>): Prepared<Made>;
  /** Instead of `create`, where what is made is no part of the caller's organization, and so no command of its ledger. */
  createOutsideLedger?(request: CreateRequest<N, Parent>): Promise<OneOf<Row>>;
  change?(request: ChangeRequest<N, Key>): Prepared<Stored>;
  remove?(request: RemoveRequest<Key>): Prepared<unknown>;
  present(row: Row, call: Call, query: ItemQueryOf<N>): ItemOf<N>;
  /** Where a creation shows more than the row. */
  presentCreated?(made: Made, call: Call): CreatedOf<N>;
  /** Where an answer needs what only shows after the commit, or what a worker has to evaluate. */
  afterCommit?(stored: Made | Stored, request: StoredRequest<N>): Promise<Row>;
  /** The part of an answer that its entity tag stands for; else all of it. */
  tagged?(item: ItemOf<N>): unknown;
  /** What the rows of a list are sorted by unless told otherwise, as paths into a row; else name and id. */
  readonly sortedBy?: SortedBy;
  /** Whether the query of reading counts for writes, too: then it is refused before anything is stored, and `If-Match` means the answer to it. */
  readonly takesQueryInWrites?: boolean;
}

/** A request of an operation besides the usual ones: query and body as the contract has parsed them. */
export interface ActionRequest<O extends Operation> extends ResourceRequest {
  readonly path: PathParameters;
  readonly query: QueryOf<O['query']>;
  readonly input: Output<O['body']>;
}

/** Operations under the names that a feature has for them. */
export type Operations = Readonly<Record<string, Operation>>;

/** An operation that writes: its command, which can be one of several, and its answer when it was carried out by itself. */
export interface WriteAction<O extends Operation> {
  /** Where it was only asked what it would do: what that is; null when it is to be carried out. */
  preview?(request: ActionRequest<O>): Promise<Written<unknown>> | null;
  command(request: ActionRequest<O>): Prepared<unknown>;
  answer(request: ActionRequest<O>, written: Written<unknown>): unknown;
}

/** A handler for each operation; what it returns is the body of the answer. */
export type Actions<Ops extends Operations> = {
  readonly [Name in keyof Ops]: ((request: ActionRequest<Ops[Name]>) => unknown) | WriteAction<Ops[Name]>;
};
