// Made by tools/console/documents.mjs of compare.graphql; not edited by hand.
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

/** What has to be done on the right. */
type ToSetAction =
  /** The sealed text of the left is to be set; nobody has to see it. */
  | 'copy_secret'
  /** Nothing that is set there would do; `reason` says why. */
  | 'impossible'
  /** Both have this text; `reason` says why they differ. */
  | 'nothing'
  /** This text is to be set. */
  | 'set'
  /** The value that is set there is to be taken away. */
  | 'unset';

export type ComparedCellFragment = { readonly states: ReadonlyArray<MatrixCellState>, readonly text: string | null, readonly raw: string | null, readonly problem: string | null, readonly environmentName: string | null, readonly projectName: string | null, readonly valueId: string | null, readonly ledgerId: string | null, readonly expiresAt: string | null };

export type ComparedQueryVariables = Exact<{
  projectId: string;
  left?: string | null | undefined;
  right?: string | null | undefined;
  leftAsOf?: string | null | undefined;
  leftRevision?: number | null | undefined;
  rightAsOf?: string | null | undefined;
  rightRevision?: number | null | undefined;
  q?: string | null | undefined;
  first: number;
  after?: string | null | undefined;
}>;


export type ComparedQuery = { readonly project: { readonly differences: { readonly totalCount: number, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly problem:
        | { readonly message: string }
        | { readonly message: string }
        | { readonly message: string }
        | { readonly message: string }
        | { readonly message: string }
       | null, readonly columns: ReadonlyArray<{ readonly left: { readonly id: string, readonly name: string } | null, readonly right: { readonly id: string, readonly name: string } | null }>, readonly left: { readonly revision: number | null } | null, readonly right: { readonly revision: number | null } | null, readonly edges: ReadonlyArray<{ readonly node: { readonly name: string, readonly left: { readonly type: string, readonly description: string, readonly secret: boolean } | null, readonly right: { readonly type: string, readonly secret: boolean } | null, readonly cells: ReadonlyArray<{ readonly column: number, readonly left: { readonly states: ReadonlyArray<MatrixCellState>, readonly text: string | null, readonly raw: string | null, readonly problem: string | null, readonly environmentName: string | null, readonly projectName: string | null, readonly valueId: string | null, readonly ledgerId: string | null, readonly expiresAt: string | null }, readonly right: { readonly states: ReadonlyArray<MatrixCellState>, readonly text: string | null, readonly raw: string | null, readonly problem: string | null, readonly environmentName: string | null, readonly projectName: string | null, readonly valueId: string | null, readonly ledgerId: string | null, readonly expiresAt: string | null }, readonly toSet: { readonly action: ToSetAction, readonly text: string | null, readonly interpolated: boolean | null, readonly parameterId: string | null, readonly valueId: string | null, readonly ledgerId: string | null, readonly reason: string | null } | null }> } }> } } | null };

export type ComparedCountQueryVariables = Exact<{
  projectId: string;
  left?: string | null | undefined;
  right?: string | null | undefined;
  leftAsOf?: string | null | undefined;
  leftRevision?: number | null | undefined;
  rightAsOf?: string | null | undefined;
  rightRevision?: number | null | undefined;
}>;


export type ComparedCountQuery = { readonly project: { readonly differences: { readonly totalCount: number, readonly problem:
        | { readonly message: string }
        | { readonly message: string }
        | { readonly message: string }
        | { readonly message: string }
        | { readonly message: string }
       | null } } | null };

export const Compared: Document<ComparedQuery, ComparedQueryVariables> = document(
  'Compared',
  '2be91d0f908ce5d186fd5d3dc9be6ad919094abcd11eb65f3e441e373f7c7014',
);

export const ComparedCount: Document<ComparedCountQuery, ComparedCountQueryVariables> = document(
  'ComparedCount',
  '80586ea615aa6f1bc03871051188ab96f2e4041d03b9f5b6d28763bc1a85e170',
);
