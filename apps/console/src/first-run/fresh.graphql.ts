// Made by tools/console/documents.mjs of fresh.graphql; not edited by hand.
import { type Document, document } from '../graphql/document.ts';

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
export type FreshProjectsQueryVariables = Exact<{ [key: string]: never; }>;


export type FreshProjectsQuery = { readonly projects: { readonly totalCount: number, readonly edges: ReadonlyArray<{ readonly node: { readonly name: string, readonly parameters: { readonly totalCount: number } } }> } };

export const FreshProjects: Document<FreshProjectsQuery, FreshProjectsQueryVariables> = document(
  "query FreshProjects{projects(first:2){totalCount edges{node{name parameters(first:1 immediateParameters:true){totalCount}}}}}",
);
