// Made by tools/console/documents.mjs of environments.graphql; not edited by hand.
import { type Document, document } from '../graphql/document.ts';

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
export type EnvironmentsQueryVariables = Exact<{
  after?: string | null | undefined;
  asOf?: string | null | undefined;
  revision?: number | null | undefined;
}>;


export type EnvironmentsQuery = { readonly environments: { readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly name: string, readonly parentId: string | null } }> } };

export const Environments: Document<EnvironmentsQuery, EnvironmentsQueryVariables> = document(
  "query Environments($after:String$asOf:DateTime$revision:Int){environments(first:200 after:$after asOf:$asOf revision:$revision){pageInfo{hasNextPage endCursor}edges{node{id name parentId}}}}",
);
