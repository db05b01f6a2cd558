// Made by tools/console/documents.mjs of scope-access.graphql; not edited by hand.
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

/** Who stands behind a credential. */
type UserKind =
  /** A person. */
  | 'interactive'
  /** A service account with an API key. */
  | 'service';

export type GrantsOnQueryVariables = Exact<{
  scope: string;
  after?: string | null | undefined;
}>;


export type GrantsOnQuery = { readonly grants: { readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly role: Role, readonly principal:
          | { readonly __typename: 'Group', readonly id: string, readonly title: string }
          | { readonly __typename: 'User', readonly id: string, readonly name: string | null, readonly email: string | null, readonly kind: UserKind }
         | null } }> } };

export const GrantsOn: Document<GrantsOnQuery, GrantsOnQueryVariables> = document(
  'GrantsOn',
  'e4ca30c01dc9a10e054f119df3be9d959da3b3c2de08074431e4f81ea90b0955',
);
