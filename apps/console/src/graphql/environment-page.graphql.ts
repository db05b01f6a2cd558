// Made by tools/console/documents.mjs of environment-page.graphql; not edited by hand.
import { type Document, document } from './document.ts';

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
       | null, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly ledgerId: string | null, readonly name: string, readonly description: string, readonly timestamp: string, readonly immutable: boolean, readonly pushIds: ReadonlyArray<string>, readonly usage: { readonly totalReads: number, readonly lastRead: string | null, readonly lastReadBy: string } } }> } } | null };

export type InstantOfRevisionQueryVariables = Exact<{
  revision: string;
}>;


export type InstantOfRevisionQuery = { readonly changeset: { readonly at: string } | null };

export const EnvironmentDetails: Document<EnvironmentDetailsQuery, EnvironmentDetailsQueryVariables> = document(
  'EnvironmentDetails',
  'b9f0ffe6f3ebc55f4007b0cbb58a09634903f8a30216cbc338f0e2e5694d49d2',
);

export const EnvironmentCounts: Document<EnvironmentCountsQuery, EnvironmentCountsQueryVariables> = document(
  'EnvironmentCounts',
  '4dc2fec40089271758f0d48bece85fd7d83803cdbbdc9073d808787210e245a0',
);

export const EnvironmentTags: Document<EnvironmentTagsQuery, EnvironmentTagsQueryVariables> = document(
  'EnvironmentTags',
  '9c8057587c7db80111d9150bc0cbd5f2ba6982b4b6e64c6f99395757acc2f80f',
);

export const InstantOfRevision: Document<InstantOfRevisionQuery, InstantOfRevisionQueryVariables> = document(
  'InstantOfRevision',
  'f421a93f8d682930398bac0585a763b9f50f74b773dcdd2be78aca703d9fadd9',
);
