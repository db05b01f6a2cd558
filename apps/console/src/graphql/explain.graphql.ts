// Made by tools/console/documents.mjs of explain.graphql; not edited by hand.
import { type Document, document } from './document.ts';

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** What is set in one place. */
type CandidateState =
  /** It is set to null there, which hides what lies above. */
  | 'NULL'
  /** Something or nothing may be set there: the project or the environment is closed to you. */
  | 'closed'
  /** A text is set there. */
  | 'set'
  /** Nothing is set there. */
  | 'unset';

/** What a text is. */
type DependentKind =
  /** A template. */
  | 'template'
  /** A dynamic value. */
  | 'value';

/** Why a value does not apply. */
type HiddenBy =
  /** A value in a nearer environment applies, whichever project set it. */
  | 'environment'
  /** The value of a nearer project in the same environment applies. */
  | 'project';

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

/** What a text refers to. */
type ReferenceKind =
  /** One parameter. */
  | 'parameter'
  /** All parameters of a project. */
  | 'parameters'
  /** One template. */
  | 'template';

export type SinceWhenQueryVariables = Exact<{
  projectId: string;
  environmentId: string;
  name: string;
  asOf?: string | null | undefined;
  revision?: number | null | undefined;
}>;


export type SinceWhenQuery = { readonly explain: { readonly since: { readonly at: string | null, readonly revision: number, readonly exact: boolean, readonly actorName: string | null } | null } | null };

export type ExplainCellQueryVariables = Exact<{
  projectId: string;
  environmentId: string;
  name: string;
  asOf?: string | null | undefined;
  revision?: number | null | undefined;
}>;


export type ExplainCellQuery = { readonly explain: { readonly description: string | null, readonly type: string | null, readonly secret: boolean | null, readonly parameterId: string | null, readonly ownerId: string | null, readonly candidatesCount: number | null, readonly madeOfHidden: number | null, readonly neededByHidden: number | null, readonly winner: { readonly value: string | null, readonly internalValue: string | null, readonly interpolated: boolean, readonly secret: boolean, readonly problem: string | null, readonly projectId: string, readonly projectName: string, readonly environmentId: string, readonly environmentName: string } | null, readonly reason: { readonly detail: string, readonly nearestNames: ReadonlyArray<string>, readonly renamedTo: string | null } | null, readonly next: { readonly state: CandidateState, readonly value: { readonly value: string | null, readonly secret: boolean, readonly projectName: string, readonly environmentName: string } | null } | null, readonly candidates: ReadonlyArray<{ readonly projectId: string, readonly projectName: string, readonly environmentId: string, readonly environmentName: string, readonly state: CandidateState, readonly wins: boolean, readonly hiddenBy: HiddenBy | null }> | null, readonly madeOf: ReadonlyArray<{ readonly kind: ReferenceKind, readonly name: string, readonly projectName: string, readonly state: CandidateState | null, readonly winner: { readonly value: string | null, readonly secret: boolean, readonly projectName: string, readonly environmentName: string } | null }> | null, readonly neededBy: ReadonlyArray<{ readonly id: string, readonly kind: DependentKind, readonly name: string, readonly projectName: string, readonly environmentName: string | null }> | null, readonly since: { readonly at: string | null, readonly revision: number, readonly exact: boolean, readonly action: string | null, readonly objectType: string | null, readonly objectName: string | null, readonly actorName: string | null, readonly projectName: string | null, readonly environmentName: string | null } | null } | null };

export type ParameterHistoryQueryVariables = Exact<{
  projectId: string;
  parameterId: string;
  asOf?: string | null | undefined;
  revision?: number | null | undefined;
}>;


export type ParameterHistoryQuery = { readonly parameter: { readonly timeline: { readonly results: ReadonlyArray<{ readonly historyModel: HistoryModel, readonly historyType: HistoryType, readonly modifiedAt: string, readonly modifiedBy: string, readonly historyEnvironments: ReadonlyArray<{ readonly name: string, readonly override: boolean }>, readonly historyVersions: { readonly revision: number, readonly before: { readonly text: string | null, readonly secret: boolean } | null, readonly after: { readonly text: string | null, readonly secret: boolean } | null } | null }> } | null } | null };

export type RevealValueQueryVariables = Exact<{
  projectId: string;
  parameterId: string;
  environment: string;
  asOf?: string | null | undefined;
  revision?: number | null | undefined;
}>;


export type RevealValueQuery = { readonly parameter: { readonly effective: { readonly value: string | null } | null } | null };

export const SinceWhen: Document<SinceWhenQuery, SinceWhenQueryVariables> = document(
  'SinceWhen',
  '3ad88fc9b73ebae895f636efe3014714fc1447305bf9ab7070a1f3c0efd2f11c',
);

export const ExplainCell: Document<ExplainCellQuery, ExplainCellQueryVariables> = document(
  'ExplainCell',
  '238e27fd838ab4b090127bb94d3a139f808f025e989baadffd7c20bf80764895',
);

export const ParameterHistory: Document<ParameterHistoryQuery, ParameterHistoryQueryVariables> = document(
  'ParameterHistory',
  '0e9c037d6f8952d48fbdddc3710e340df1e4a2c87392b0e99166044287b465dd',
);

export const RevealValue: Document<RevealValueQuery, RevealValueQueryVariables> = document(
  'RevealValue',
  '97af282ae91e8ab7ef333cb2db4001543c5d42158821dfc2af7c5b64ec95d7b3',
);
