// Made by tools/console/documents.mjs of history.graphql; not edited by hand.
import { type Document, document } from '../graphql/document.ts';

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

/** What of a parameter was changed. */
type HistoryModel =
  /** The parameter itself. */
  | 'Parameter'
  /** One of its rules. */
  | 'ParameterRule'
  /** One of its values. */
  | 'Value';

/** What happened to it. */
type HistoryType =
  /** It was created. */
  | 'create'
  /** It was deleted. */
  | 'delete'
  /** Nothing. */
  | 'nothing'
  /** It was updated. */
  | 'update';

/** Who stands behind a credential. */
type UserKind =
  /** A person. */
  | 'interactive'
  /** A service account with an API key. */
  | 'service';

export type ChangesetsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  actor?: string | null | undefined;
  project?: string | null | undefined;
  since?: string | null | undefined;
  q?: string | null | undefined;
}>;


export type ChangesetsQuery = { readonly changesets: { readonly totalCount: number, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly node: { readonly revision: number, readonly at: string, readonly actorId: string | null, readonly actorName: string | null, readonly actorType: string | null, readonly surface: string | null, readonly message: string | null, readonly externalRef: string | null, readonly changeCount: number, readonly changes: ReadonlyArray<{ readonly action: AuditAction, readonly objectType: string, readonly objectName: string, readonly projectName: string | null, readonly environmentName: string | null }> } }> } };

export type ChangesetOfQueryVariables = Exact<{
  revision: string;
}>;


export type ChangesetOfQuery = { readonly changeset: { readonly revision: number, readonly at: string, readonly actorId: string | null, readonly actorName: string | null, readonly actorType: string | null, readonly surface: string | null, readonly message: string | null, readonly externalRef: string | null, readonly changeCount: number, readonly changes: ReadonlyArray<{ readonly action: AuditAction, readonly objectType: string, readonly objectId: string, readonly objectName: string, readonly projectName: string | null, readonly environmentName: string | null, readonly parameterName: string | null }> } | null };

export type EffectiveChangesOfQueryVariables = Exact<{
  revision: string;
  first: number;
  after?: string | null | undefined;
}>;


export type EffectiveChangesOfQuery = { readonly effectiveChanges: { readonly totalCount: number, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly node: { readonly projectName: string, readonly environmentName: string, readonly parameterName: string, readonly kind: string, readonly before: string | null, readonly after: string | null, readonly masked: boolean } }> } };

export type AuditOfEnvironmentQueryVariables = Exact<{
  environmentId: string;
  first: number;
  after?: string | null | undefined;
}>;


export type AuditOfEnvironmentQuery = { readonly audit: { readonly totalCount: number, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly action: AuditAction, readonly objectType: AuditObject, readonly objectName: string, readonly changeset: number, readonly timestamp: string, readonly user: { readonly id: string, readonly name: string | null, readonly email: string | null, readonly type: UserKind } } }> } };

export type ActorsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type ActorsQuery = { readonly users: { readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly name: string | null, readonly email: string | null } }> } };

export type TimelineOfQueryVariables = Exact<{
  projectId: string;
  parameter: string;
  before?: string | null | undefined;
}>;


export type TimelineOfQuery = { readonly project: { readonly parameters: { readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly secret: boolean, readonly type: string, readonly description: string, readonly timeline: { readonly nextAsOf: string | null, readonly results: ReadonlyArray<{ readonly historyType: HistoryType, readonly historyModel: HistoryModel, readonly modifiedAt: string, readonly modifiedBy: string, readonly historyEnvironments: ReadonlyArray<{ readonly name: string, readonly override: boolean }>, readonly historyVersions: { readonly revision: number, readonly before: { readonly text: string | null, readonly secret: boolean } | null, readonly after: { readonly text: string | null, readonly secret: boolean } | null } | null }> } | null } }> } } | null };

export const Changesets: Document<ChangesetsQuery, ChangesetsQueryVariables> = document(
  'Changesets',
  '217d1c884e2c7a2cdaca6454b528c075496e2ee2755e438542f9c30504250a3b',
);

export const ChangesetOf: Document<ChangesetOfQuery, ChangesetOfQueryVariables> = document(
  'ChangesetOf',
  'd2c0e22dae4133bb1c8c5c48da26fd101cb3e2e6465fb96ac6b35ff13ef65fa5',
);

export const EffectiveChangesOf: Document<EffectiveChangesOfQuery, EffectiveChangesOfQueryVariables> = document(
  'EffectiveChangesOf',
  '6bdfa767110c1f77705261e97ceab0175892eac4cfa30f2fe89c446180e7c2cb',
);

export const AuditOfEnvironment: Document<AuditOfEnvironmentQuery, AuditOfEnvironmentQueryVariables> = document(
  'AuditOfEnvironment',
  'a3b8b7240ab934bbb21e35a33602eaa22f0dd8c15590db59e333c56951c50920',
);

export const Actors: Document<ActorsQuery, ActorsQueryVariables> = document(
  'Actors',
  '2bf4e7c9e93a96c4a02cb763e470115a473a7e7ca07f4e771626a614f33fdff4',
);

export const TimelineOf: Document<TimelineOfQuery, TimelineOfQueryVariables> = document(
  'TimelineOf',
  'f0330ca1b976596680f9834c73b8c1e328359ede604f8e6a4f046a86802254d3',
);
