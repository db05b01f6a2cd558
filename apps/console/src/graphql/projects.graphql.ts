// Made by tools/console/documents.mjs of projects.graphql; not edited by hand.
import { type Document, document } from './document.ts';

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
export type ProjectsQueryVariables = Exact<{
  after?: string | null | undefined;
  asOf?: string | null | undefined;
  revision?: number | null | undefined;
}>;


export type ProjectsQuery = { readonly projects: { readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly name: string, readonly description: string, readonly dependsOnId: string | null } }> } };

export const Projects: Document<ProjectsQuery, ProjectsQueryVariables> = document(
  'Projects',
  'fea818e733b0b41c3c0259766b57bc069b1192b57af9c8d2dfe0067811d8c69e',
);
