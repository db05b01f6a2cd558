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
  "query Changesets($first:Int!$after:String$actor:String$project:String$since:DateTime$q:String){changesets(first:$first after:$after actor:$actor project:$project since:$since q:$q){totalCount pageInfo{hasNextPage endCursor}edges{node{revision at actorId actorName actorType surface message externalRef changeCount changes{action objectType objectName projectName environmentName}}}}}",
);

export const ChangesetOf: Document<ChangesetOfQuery, ChangesetOfQueryVariables> = document(
  "query ChangesetOf($revision:ID!){changeset(revision:$revision){revision at actorId actorName actorType surface message externalRef changeCount changes{action objectType objectId objectName projectName environmentName parameterName}}}",
);

export const EffectiveChangesOf: Document<EffectiveChangesOfQuery, EffectiveChangesOfQueryVariables> = document(
  "query EffectiveChangesOf($revision:ID!$first:Int!$after:String){effectiveChanges(revision:$revision first:$first after:$after){totalCount pageInfo{hasNextPage endCursor}edges{node{projectName environmentName parameterName kind before after masked}}}}",
);

export const AuditOfEnvironment: Document<AuditOfEnvironmentQuery, AuditOfEnvironmentQueryVariables> = document(
  "query AuditOfEnvironment($environmentId:ID!$first:Int!$after:String){audit(environmentId:$environmentId first:$first after:$after){totalCount pageInfo{hasNextPage endCursor}edges{node{id action objectType objectName changeset timestamp user{id name email type}}}}}",
);

export const Actors: Document<ActorsQuery, ActorsQueryVariables> = document(
  "query Actors($after:String){users(first:200 after:$after){pageInfo{hasNextPage endCursor}edges{node{id name email}}}}",
);

export const TimelineOf: Document<TimelineOfQuery, TimelineOfQueryVariables> = document(
  "query TimelineOf($projectId:ID!$parameter:String!$before:DateTime){project(id:$projectId){parameters(first:1 name:$parameter){edges{node{id secret type description timeline(asOf:$before versions:true){nextAsOf results{historyType historyModel modifiedAt modifiedBy historyEnvironments{name override}historyVersions{revision before{text secret}after{text secret}}}}}}}}}",
);
