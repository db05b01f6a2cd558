// Made by tools/console/documents.mjs of matrix.graphql; not edited by hand.
import { type Document, document } from '../graphql/document.ts';

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** What can be said of a name in one environment. */
type MatrixCellState =
  /** An explicit null applies. */
  | 'NULL'
  /** The environment is closed to you, and nothing is told of it. */
  | 'closed'
  /** Another text or state than in the parent environment. */
  | 'differs'
  /** The text is evaluated here. */
  | 'dynamic'
  /** Set further up: in a parent environment, or in a project that this one depends on. */
  | 'inherited'
  /** Nothing applies. */
  | 'missing'
  /** Set in this environment, on a parameter of this very project. */
  | 'own'
  /** What is set says what would apply without it. */
  | 'redundant'
  /** The text must not be shown. */
  | 'secret';

/** What a name may be in some environment. */
type MatrixState =
  /** An explicit null applies. */
  | 'NULL'
  /** Another text or state than in the parent environment. */
  | 'differs'
  /** The text is evaluated here. */
  | 'dynamic'
  /** Set further up: in a parent environment, or in a project that this one depends on. */
  | 'inherited'
  /** Nothing applies. */
  | 'missing'
  /** Set in this environment, on a parameter of this very project. */
  | 'own'
  /** What is set says what would apply without it. */
  | 'redundant'
  /** The text must not be shown. */
  | 'secret';

export type MatrixPartQueryVariables = Exact<{
  projectId: string;
  environments: ReadonlyArray<string> | string;
  q?: string | null | undefined;
  state?: ReadonlyArray<MatrixState> | MatrixState | null | undefined;
  ids?: ReadonlyArray<string> | string | null | undefined;
  asOf?: string | null | undefined;
  revision?: number | null | undefined;
  first: number;
  skip: number;
}>;


export type MatrixPartQuery = { readonly project: { readonly matrix: { readonly totalCount: number, readonly revision: number | null, readonly problem:
        | { readonly message: string }
        | { readonly message: string }
        | { readonly message: string }
        | { readonly message: string }
        | { readonly message: string }
       | null, readonly edges: ReadonlyArray<{ readonly node: { readonly name: string, readonly parameterId: string, readonly projectId: string, readonly projectName: string, readonly type: string, readonly description: string, readonly secret: boolean, readonly cells: ReadonlyArray<{ readonly states: ReadonlyArray<MatrixCellState>, readonly text: string | null, readonly raw: string | null, readonly problem: string | null, readonly environmentName: string | null, readonly projectName: string | null, readonly valueId: string | null, readonly ledgerId: string | null, readonly expiresAt: string | null }> } }> } } | null };

export type MatrixOwnCountQueryVariables = Exact<{
  projectId: string;
  environments: ReadonlyArray<string> | string;
  q?: string | null | undefined;
  state?: ReadonlyArray<MatrixState> | MatrixState | null | undefined;
  asOf?: string | null | undefined;
  revision?: number | null | undefined;
}>;


export type MatrixOwnCountQuery = { readonly project: { readonly matrix: { readonly totalCount: number } } | null };

export const MatrixPart: Document<MatrixPartQuery, MatrixPartQueryVariables> = document(
  "query MatrixPart($projectId:ID!$environments:[String!]!$q:String$state:[MatrixState!]$ids:[ID!]$asOf:DateTime$revision:Int$first:Int!$skip:Int!){project(id:$projectId asOf:$asOf revision:$revision){matrix(environment:$environments q:$q state:$state idIn:$ids first:$first skip:$skip ordering:\"project,name\"){totalCount revision problem{message}edges{node{name parameterId projectId projectName type description secret cells{states text raw problem environmentName projectName valueId ledgerId expiresAt}}}}}}",
);

export const MatrixOwnCount: Document<MatrixOwnCountQuery, MatrixOwnCountQueryVariables> = document(
  "query MatrixOwnCount($projectId:ID!$environments:[String!]!$q:String$state:[MatrixState!]$asOf:DateTime$revision:Int){project(id:$projectId asOf:$asOf revision:$revision){matrix(environment:$environments q:$q state:$state first:0 immediateParameters:true){totalCount}}}",
);
