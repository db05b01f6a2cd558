// Made by tools/console/documents.mjs of environment-page.graphql; not edited by hand.
import { type Document, document } from '../graphql/document.ts';

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** What a person or service account may do. */
type Role =
  /** Manages people, webhooks and integrations. */
  | 'ADMIN'
  /** Changes environments, projects, parameters and values. */
  | 'CONTRIB'
  /** Everything, including the organization itself. */
  | 'OWNER'
  /** Reads. */
  | 'VIEWER';

export type EnvironmentDetailsQueryVariables = Exact<{
  after?: string | null | undefined;
  asOf?: string | null | undefined;
  revision?: number | null | undefined;
}>;


export type EnvironmentDetailsQuery = { readonly environments: { readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly ledgerId: string, readonly name: string, readonly parentId: string | null, readonly description: string, readonly accessControlled: boolean, readonly role: Role | null, readonly createdAt: string, readonly modifiedAt: string | null } }> } };

export type EnvironmentCountsQueryVariables = Exact<{ [key: string]: never; }>;


export type EnvironmentCountsQuery = { readonly environmentSummary: { readonly environments: ReadonlyArray<{ readonly environmentId: string, readonly valueCount: number, readonly tagCount: number, readonly latestTag: string | null }> } | null };

export type EnvironmentTagsQueryVariables = Exact<{
  environmentId: string;
  after?: string | null | undefined;
}>;


export type EnvironmentTagsQuery = { readonly environment: { readonly tags: { readonly totalCount: number, readonly problem:
        | { readonly code: string, readonly message: string }
        | { readonly code: string, readonly message: string }
        | { readonly code: string, readonly message: string }
        | { readonly code: string, readonly message: string }
        | { readonly code: string, readonly message: string }
       | null, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly name: string, readonly description: string, readonly timestamp: string, readonly immutable: boolean, readonly pushIds: ReadonlyArray<string>, readonly usage: { readonly totalReads: number, readonly lastRead: string | null, readonly lastReadBy: string } } }> } } | null };

export type InstantOfRevisionQueryVariables = Exact<{
  revision: string;
}>;


export type InstantOfRevisionQuery = { readonly changeset: { readonly at: string } | null };

export const EnvironmentDetails: Document<EnvironmentDetailsQuery, EnvironmentDetailsQueryVariables> = document(
  "query EnvironmentDetails($after:String$asOf:DateTime$revision:Int){environments(first:200 after:$after asOf:$asOf revision:$revision){pageInfo{hasNextPage endCursor}edges{node{id ledgerId name parentId description accessControlled role createdAt modifiedAt}}}}",
);

export const EnvironmentCounts: Document<EnvironmentCountsQuery, EnvironmentCountsQueryVariables> = document(
  "query EnvironmentCounts{environmentSummary{environments{environmentId valueCount tagCount latestTag}}}",
);

export const EnvironmentTags: Document<EnvironmentTagsQuery, EnvironmentTagsQueryVariables> = document(
  "query EnvironmentTags($environmentId:ID!$after:String){environment(id:$environmentId){tags(first:25 after:$after ordering:\"-timestamp\"){totalCount problem{code message}pageInfo{hasNextPage endCursor}edges{node{id name description timestamp immutable pushIds usage{totalReads lastRead lastReadBy}}}}}}",
);

export const InstantOfRevision: Document<InstantOfRevisionQuery, InstantOfRevisionQueryVariables> = document(
  "query InstantOfRevision($revision:ID!){changeset(revision:$revision){at}}",
);
