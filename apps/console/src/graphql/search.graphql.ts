// Made by tools/console/documents.mjs of search.graphql; not edited by hand.
import { type Document, document } from './document.ts';

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** What of a parameter is searched. */
type SearchPlace =
  /** Its description. */
  | 'description'
  /** Its name. */
  | 'name'
  /** The texts that apply, as they read in each environment. Never those of secrets. */
  | 'value';

export type SearchParametersQueryVariables = Exact<{
  q: string;
  after?: string | null | undefined;
  first: number;
  in?: ReadonlyArray<SearchPlace> | SearchPlace | null | undefined;
  asOf?: string | null | undefined;
  revision?: number | null | undefined;
}>;


export type SearchParametersQuery = { readonly search: { readonly cursor: string | null, readonly incomplete: boolean, readonly skipped: number, readonly results: ReadonlyArray<{ readonly parameterId: string, readonly name: string, readonly description: string, readonly projectId: string, readonly projectName: string, readonly secret: boolean, readonly matched: ReadonlyArray<SearchPlace>, readonly wins: ReadonlyArray<{ readonly valueId: string, readonly value: string | null, readonly cut: boolean, readonly secret: boolean, readonly failed: boolean, readonly matched: boolean, readonly environments: ReadonlyArray<{ readonly environmentName: string }> }> }> } | null };

export type SearchChangesetsQueryVariables = Exact<{
  q: string;
  first: number;
}>;


export type SearchChangesetsQuery = { readonly changesets: { readonly edges: ReadonlyArray<{ readonly node: { readonly revision: number, readonly message: string | null, readonly externalRef: string | null, readonly actorName: string | null } }> } };

export const SearchParameters: Document<SearchParametersQuery, SearchParametersQueryVariables> = document(
  'SearchParameters',
  '034df3dc4e225872231f5d32725a6bddc9d119ff2ff7f3e13c15f99f2ccaa0ea',
);

export const SearchChangesets: Document<SearchChangesetsQuery, SearchChangesetsQueryVariables> = document(
  'SearchChangesets',
  'b48c42bbb7bb51219f0717e502ac3ed8dc10efe5a032bafe5b0ff09e03d973e6',
);
