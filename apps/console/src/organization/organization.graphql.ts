// Made by tools/console/documents.mjs of organization.graphql; not edited by hand.
import { type Document, document } from '../graphql/document.ts';

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** What an organization is made of. */
type CreateOrganizationInput = {
  /** Whether its people need a second factor. */
  readonly mfaEnabled?: boolean | null | undefined;
  /** Its name. */
  readonly name: string;
};

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

/** Changes of an organization; what is left out stays. */
type UpdateOrganizationInput = {
  /** Whether its people need a second factor. */
  readonly mfaEnabled?: boolean | null | undefined;
  /** Its name. */
  readonly name?: string | null | undefined;
  /** Kept for programs that set it; webhooks do not look at it. */
  readonly notificationConfig?: unknown;
  /** Pattern that names of projects must match; empty for any. */
  readonly projectNamePattern?: string | null | undefined;
};

export type OwnOrganizationsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type OwnOrganizationsQuery = { readonly organizations: { readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly name: string, readonly role: Role, readonly current: boolean, readonly maintenance: boolean, readonly projectNamePattern: string, readonly createdAt: string } }> } };

export type ChangeOrganizationMutationVariables = Exact<{
  id: string;
  input: UpdateOrganizationInput;
}>;


export type ChangeOrganizationMutation = { readonly updateOrganization:
    | { readonly __typename: 'Conflict', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'NotFound', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'OrganizationSaved' }
    | { readonly __typename: 'PermissionDenied', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PreconditionFailed', readonly code: string, readonly message: string }
    | { readonly __typename: 'ValidationProblem', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
   };

export type CreateOrganizationMutationVariables = Exact<{
  input: CreateOrganizationInput;
}>;


export type CreateOrganizationMutation = { readonly createOrganization:
    | { readonly __typename: 'Conflict', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'NotFound', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'OrganizationSaved', readonly organization: { readonly id: string } }
    | { readonly __typename: 'PermissionDenied', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PreconditionFailed', readonly code: string, readonly message: string }
    | { readonly __typename: 'ValidationProblem', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
   };

export type DeleteOrganizationMutationVariables = Exact<{
  id: string;
}>;


export type DeleteOrganizationMutation = { readonly deleteOrganization:
    | { readonly __typename: 'Conflict', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'Deleted' }
    | { readonly __typename: 'NotFound', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PermissionDenied', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PreconditionFailed', readonly code: string, readonly message: string }
    | { readonly __typename: 'ValidationProblem', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
   };

export const OwnOrganizations: Document<OwnOrganizationsQuery, OwnOrganizationsQueryVariables> = document(
  'OwnOrganizations',
  'cdb452f964da44b5599c7d9596a60fb92eab4379cbea173d081db3eb27fa2562',
);

export const ChangeOrganization: Document<ChangeOrganizationMutation, ChangeOrganizationMutationVariables> = document(
  'ChangeOrganization',
  '39d89f4153c238a2b310e0b8616e42a02e98193025716263a3a70350e8edf08c',
);

export const CreateOrganization: Document<CreateOrganizationMutation, CreateOrganizationMutationVariables> = document(
  'CreateOrganization',
  'ef17ed4b973de20ed8e9b5c57a065eeda7e9ceeeb67c5411ebcdc6643c9056fd',
);

export const DeleteOrganization: Document<DeleteOrganizationMutation, DeleteOrganizationMutationVariables> = document(
  'DeleteOrganization',
  '4b6aa3cdd6145452d7c92e8ff249db62f89aaa0cb151a3b2f7972614b13c3c7d',
);
