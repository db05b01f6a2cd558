// Made by tools/console/documents.mjs of audit.graphql; not edited by hand.
import { type Document, document } from './document.ts';

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** What the audit tells of. */
type AuditAction =
  /** To change the own password, which ends all tokens. */
  | 'change_password'
  /** To create it. */
  | 'create'
  /** To delete it. */
  | 'delete'
  /** To pull it. */
  | 'pull'
  /** To push it. */
  | 'push'
  /** To be shown secrets of it in clear. */
  | 'reveal'
  /** To end all tokens of oneself. */
  | 'sign_out_everywhere'
  /** To update it. */
  | 'update';

/** The kinds of objects that the audit knows. */
type AuditObject =
  /** An object of the kind AwsIntegration. */
  | 'AwsIntegration'
  /** An object of the kind Environment. */
  | 'Environment'
  /** An object of the kind GitHubIntegration. */
  | 'GitHubIntegration'
  /** An object of the kind Grant. */
  | 'Grant'
  /** An object of the kind Invitation. */
  | 'Invitation'
  /** An object of the kind Membership. */
  | 'Membership'
  /** An object of the kind Organization. */
  | 'Organization'
  /** An object of the kind Parameter. */
  | 'Parameter'
  /** An object of the kind ParameterRule. */
  | 'ParameterRule'
  /** An object of the kind ParameterType. */
  | 'ParameterType'
  /** An object of the kind ParameterTypeRule. */
  | 'ParameterTypeRule'
  /** An object of the kind Project. */
  | 'Project'
  /** An object of the kind Pull. */
  | 'Pull'
  /** An object of the kind Push. */
  | 'Push'
  /** An object of the kind ServiceAccount. */
  | 'ServiceAccount'
  /** An object of the kind Tag. */
  | 'Tag'
  /** An object of the kind Task. */
  | 'Task'
  /** An object of the kind Template. */
  | 'Template'
  /** An object of the kind Value. */
  | 'Value';

/** Who stands behind a credential. */
type UserKind =
  /** A person. */
  | 'interactive'
  /** A service account with an API key. */
  | 'service';

export type AuditRecordsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  action?: AuditAction | null | undefined;
  objectType?: string | null | undefined;
  objectId?: string | null | undefined;
  userId?: string | null | undefined;
  projectId?: string | null | undefined;
  environmentId?: string | null | undefined;
  earliest?: string | null | undefined;
  latest?: string | null | undefined;
}>;


export type AuditRecordsQuery = { readonly audit: { readonly totalCount: number, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly action: AuditAction, readonly objectId: string, readonly objectType: AuditObject, readonly objectName: string, readonly projectName: string | null, readonly environmentName: string | null, readonly changeset: number, readonly timestamp: string, readonly user: { readonly id: string, readonly type: UserKind, readonly name: string | null, readonly email: string | null } } }> } };

export type AuditReachQueryVariables = Exact<{ [key: string]: never; }>;


export type AuditReachQuery = { readonly auditSummary: { readonly earliest: string | null, readonly maxDays: number, readonly maxRecords: number } | null };

export const AuditRecords: Document<AuditRecordsQuery, AuditRecordsQueryVariables> = document(
  'AuditRecords',
  '25b05ee964b58712940d1dfc654e6e6a6ad24c9528e91a1416204949597e717b',
);

export const AuditReach: Document<AuditReachQuery, AuditReachQueryVariables> = document(
  'AuditReach',
  '0e56fb3d34f70197fd4b5bbc0260aa9cdd9456f9d3654dbae0c656e5c40eab4c',
);
