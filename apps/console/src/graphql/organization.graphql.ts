// Made by tools/console/documents.mjs of organization.graphql; not edited by hand.
import { type Document, document } from './document.ts';

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


export type OwnOrganizationsQuery = { readonly organizations: { readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly ledgerId: string, readonly name: string, readonly role: Role, readonly current: boolean, readonly maintenance: boolean, readonly projectNamePattern: string, readonly createdAt: string } }> } };

export type ChangeOrganizationMutationVariables = Exact<{
  id: string;
  input: UpdateOrganizationInput;
  expectedLedgerId: string;
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
  expectedLedgerId: string;
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
  '29c9c44853c937598baeba348d236a9f5c1351fa08e6dd07709175741dc383a2',
);

export const ChangeOrganization: Document<ChangeOrganizationMutation, ChangeOrganizationMutationVariables> = document(
  'ChangeOrganization',
  '9e7463adce33ce9e87568c32b9b19eaba2bfc407a3b73b4a0438eeaee1c732db',
);

export const CreateOrganization: Document<CreateOrganizationMutation, CreateOrganizationMutationVariables> = document(
  'CreateOrganization',
  'ef17ed4b973de20ed8e9b5c57a065eeda7e9ceeeb67c5411ebcdc6643c9056fd',
);

export const DeleteOrganization: Document<DeleteOrganizationMutation, DeleteOrganizationMutationVariables> = document(
  'DeleteOrganization',
  '24baa16dbc8b69b890d700c24fc334eab24613661d67e5bb202b050ca3e1026b',
);
