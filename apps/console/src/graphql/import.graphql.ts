// Made by tools/console/documents.mjs of import.graphql; not edited by hand.
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

export type ImportTargetsQueryVariables = Exact<{
  projectId: string;
  environments: ReadonlyArray<string> | string;
  after?: string | null | undefined;
}>;


export type ImportTargetsQuery = { readonly project: { readonly matrix: { readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly problem:
        | { readonly message: string }
        | { readonly message: string }
        | { readonly message: string }
        | { readonly message: string }
        | { readonly message: string }
       | null, readonly environments: ReadonlyArray<{ readonly name: string }>, readonly edges: ReadonlyArray<{ readonly node: { readonly name: string, readonly projectId: string, readonly secret: boolean, readonly cells: ReadonlyArray<{ readonly states: ReadonlyArray<MatrixCellState>, readonly text: string | null, readonly raw: string | null, readonly problem: string | null, readonly environmentName: string | null, readonly projectName: string | null, readonly valueId: string | null, readonly ledgerId: string | null, readonly expiresAt: string | null }> } }> } } | null };

export const ImportTargets: Document<ImportTargetsQuery, ImportTargetsQueryVariables> = document(
  'ImportTargets',
  '34a26bbb6215268c7d1b0eacc71ece06f269b7250ec010530d6a7908ab96ebab',
);
