// Made by tools/console/documents.mjs of history.graphql; not edited by hand.
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

export type ChangesetsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  actor?: string | null | undefined;
  project?: string | null | undefined;
  environment?: string | null | undefined;
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


export type EffectiveChangesOfQuery = { readonly effectiveChanges: { readonly totalCount: number, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly node: { readonly projectName: string, readonly environmentName: string, readonly parameterName: string, readonly kind: string, readonly before: string | null, readonly after: string | null, readonly masked: boolean, readonly problem: string | null } }> } };

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
  '9c4e1cf78d0d7560cc4b2c0f4adb18afee776975c55e24ee4dec81c91b5f4394',
);

export const ChangesetOf: Document<ChangesetOfQuery, ChangesetOfQueryVariables> = document(
  'ChangesetOf',
  'd2c0e22dae4133bb1c8c5c48da26fd101cb3e2e6465fb96ac6b35ff13ef65fa5',
);

export const EffectiveChangesOf: Document<EffectiveChangesOfQuery, EffectiveChangesOfQueryVariables> = document(
  'EffectiveChangesOf',
  '2fcd31ff493ef76e1db3617d2fee173e756fe01d4bf5854f1c7fcda89979cb0f',
);

export const Actors: Document<ActorsQuery, ActorsQueryVariables> = document(
  'Actors',
  '2bf4e7c9e93a96c4a02cb763e470115a473a7e7ca07f4e771626a614f33fdff4',
);

export const TimelineOf: Document<TimelineOfQuery, TimelineOfQueryVariables> = document(
  'TimelineOf',
  'f0330ca1b976596680f9834c73b8c1e328359ede604f8e6a4f046a86802254d3',
);
