// Made by tools/console/documents.mjs of matrix.graphql; not edited by hand.
import { type Document, document } from './document.ts';

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
  'MatrixPart',
  '4ac550e5a803a0c329c52005f3043a236d67b2d34b84fb12b931c49608a156e6',
);

export const MatrixOwnCount: Document<MatrixOwnCountQuery, MatrixOwnCountQueryVariables> = document(
  'MatrixOwnCount',
  '351c09f392294e1aaec1ab1d536dfa7347469ec2ce44881b1772a766a1c7cee3',
);
