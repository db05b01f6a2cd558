// Made by tools/console/documents.mjs of values.graphql; not edited by hand.
import { type Document, document } from '../graphql/document.ts';

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
export type ValuesOfQueryVariables = Exact<{
  projectId: string;
  environmentId: string;
  after?: string | null | undefined;
}>;


export type ValuesOfQuery = { readonly project: { readonly parameters: { readonly totalCount: number, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly name: string, readonly description: string, readonly type: string, readonly secret: boolean, readonly projectId: string, readonly projectName: string, readonly overridesId: string | null, readonly effective: { readonly value: string | null, readonly secret: boolean, readonly interpolated: boolean, readonly external: boolean, readonly environmentId: string, readonly environmentName: string, readonly projectId: string } | null } }> } } | null };

export const ValuesOf: Document<ValuesOfQuery, ValuesOfQueryVariables> = document(
  "query ValuesOf($projectId:ID!$environmentId:String!$after:String){project(id:$projectId){parameters(first:100 after:$after environment:$environmentId){totalCount pageInfo{hasNextPage endCursor}edges{node{id name description type secret projectId projectName overridesId effective{value secret interpolated external environmentId environmentName projectId}}}}}}",
);
