import type { z } from 'zod';
import type { Operation } from './operation.ts';
import type { ContractOperations } from './operations.ts';

export type OperationId = keyof ContractOperations;

/** The method and the path of each operation. */
export type Routes = {
  readonly [Id in OperationId]: `${Uppercase<ContractOperations[Id]['method']>} ${ContractOperations[Id]['path']}`;
};

/** The value of a query parameter. Lists are joined by commas, or sent as one parameter each if they are `repeated`. */
export type QueryValue =
  | string
  | number
  | boolean
  | readonly string[]
  /** Texts that may contain commas. */
  | { readonly repeated: readonly string[] }
  /** Not sent. */
  | null
  | undefined;

/** The schema of a part of an operation; never if the operation has no such part. */
type SchemaOf<O extends Operation, Part extends 'query' | 'body' | 'response'> = O extends {
  readonly [Name in Part]?: infer Schema;
}
  ? Extract<Schema, z.ZodType>
  : never;

type Placeholders<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

type PathOf<Names extends string> = [Names] extends [never]
  ? { readonly path?: undefined }
  : { readonly path: Readonly<Record<Names, string>> };

type BodyOf<O extends Operation, Schema = SchemaOf<O, 'body'>> = [Schema] extends [never]
  ? { readonly body?: undefined }
  : O extends { readonly bodyOptional: true }
    ? { readonly body?: z.input<Schema> }
    : { readonly body: z.input<Schema> };

/** The placeholders of the path, the query and the body of a request. */
export type OperationRequest<Id extends OperationId> = PathOf<Placeholders<ContractOperations[Id]['path']>> &
  BodyOf<ContractOperations[Id]> & {
    readonly query?: { readonly [Name in keyof z.input<SchemaOf<ContractOperations[Id], 'query'>>]?: QueryValue };
  };

/** The arguments of a function that sends a request. An operation without required parts needs none. */
export type OperationArguments<Id extends OperationId, Options = never> =
  Record<never, never> extends OperationRequest<Id>
    ? [request?: OperationRequest<Id>, options?: Options]
    : [request: OperationRequest<Id>, options?: Options];

/** The body of a successful response. */
export type OperationResponse<Id extends OperationId> = [SchemaOf<ContractOperations[Id], 'response'>] extends [never]
  ? null
  : z.output<SchemaOf<ContractOperations[Id], 'response'>>;

/** Sends requests, and returns the bodies of successful responses. */
export interface OperationClient {
  call<Id extends OperationId>(id: Id, ...request: OperationArguments<Id>): Promise<OperationResponse<Id>>;
}

/** The operations that return a page of a list. */
export type ListId = {
  [Id in OperationId]: OperationResponse<Id> extends {
    readonly results: readonly unknown[];
    readonly next: string | null;
  }
    ? Id
    : never;
}[OperationId];

/** A row of a list. */
export type RowOf<Id extends ListId> =
  OperationResponse<Id> extends { readonly results: readonly (infer Row)[] } ? Row : never;
