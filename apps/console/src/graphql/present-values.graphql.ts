// Made by tools/console/documents.mjs of present-values.graphql; not edited by hand.
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

export type DraftedRowsQueryVariables = Exact<{
  projectId: string;
  environments: ReadonlyArray<string> | string;
  ids?: ReadonlyArray<string> | string | null | undefined;
  name?: string | null | undefined;
  first: number;
  revision?: number | null | undefined;
}>;


export type DraftedRowsQuery = { readonly project: { readonly matrix: { readonly revision: number | null, readonly problem:
        | { readonly message: string }
        | { readonly message: string }
        | { readonly message: string }
        | { readonly message: string }
        | { readonly message: string }
       | null, readonly environments: ReadonlyArray<{ readonly id: string }>, readonly edges: ReadonlyArray<{ readonly node: { readonly name: string, readonly parameterId: string, readonly projectId: string, readonly secret: boolean, readonly cells: ReadonlyArray<{ readonly states: ReadonlyArray<MatrixCellState>, readonly text: string | null, readonly raw: string | null, readonly valueId: string | null, readonly ledgerId: string | null }> } }> } } | null };

export const DraftedRows: Document<DraftedRowsQuery, DraftedRowsQueryVariables> = document(
  'DraftedRows',
  '7e49d7eb6cc459d27408b70c48b29840c59446565d23ecf6a871eadc4fcfa0d5',
);
