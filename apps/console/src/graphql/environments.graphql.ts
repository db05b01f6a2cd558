// Made by tools/console/documents.mjs of environments.graphql; not edited by hand.
import { type Document, document } from './document.ts';

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
export type EnvironmentsQueryVariables = Exact<{
  after?: string | null | undefined;
  asOf?: string | null | undefined;
  revision?: number | null | undefined;
}>;


export type EnvironmentsQuery = { readonly environments: { readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly name: string, readonly parentId: string | null } }> } };

export const Environments: Document<EnvironmentsQuery, EnvironmentsQueryVariables> = document(
  'Environments',
  '611257f963647a78decbcc651e79247bf8e129c80979447db97f8f2ac5151e6b',
);
