// Made by tools/console/documents.mjs of fresh.graphql; not edited by hand.
import { type Document, document } from './document.ts';

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
export type FreshProjectsQueryVariables = Exact<{ [key: string]: never; }>;


export type FreshProjectsQuery = { readonly projects: { readonly totalCount: number, readonly edges: ReadonlyArray<{ readonly node: { readonly name: string, readonly parameters: { readonly totalCount: number } } }> } };

export const FreshProjects: Document<FreshProjectsQuery, FreshProjectsQueryVariables> = document(
  'FreshProjects',
  '12c7c9e3aeb44141750b6ca4bcad7a7e1c03b4a079e4001e70e0085306140ce7',
);
