// Made by tools/console/documents.mjs of apply-changeset.graphql; not edited by hand.
import { type Document, document } from '../graphql/document.ts';

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** What `applyChangeset` takes. Carries out many changes as one: one revision, all or nothing. */
type ApplyChangesetInput = {
  /** Refuse everything if anything that is written was changed after this revision. */
  readonly baseRevision?: number | null | undefined;
  /** What it belongs to elsewhere, such as a ticket or a commit. */
  readonly externalRef?: string | null | undefined;
  /** Why, for people: history, feed and audit keep it. */
  readonly message?: string | null | undefined;
  /** What to do, in this order. All of it or nothing. */
  readonly operations: ReadonlyArray<ApplyChangesetInputOperations>;
  /** The plan as it was answered: then a refusal by `plan_hash` tells what is different by now. */
  readonly plan?: unknown;
  /** Of a plan: refuse everything unless it still comes to what was planned. */
  readonly planHash?: string | null | undefined;
};

/** What to do, in this order. All of it or nothing. */
type ApplyChangesetInputOperations = {
  /** A name for what it makes: later operations refer to it by `{"$ref": name}`. */
  readonly as?: string | null | undefined;
  /** Its body. */
  readonly body?: unknown;
  /** Refuse it unless this is the `ledger_id` of the object before the changeset. */
  readonly ifMatch?: string | null | undefined;
  /** `*`: what it makes must not be there already. */
  readonly ifNoneMatch?: string | null | undefined;
  /** An operation of this API by its id, such as `projects_create`. */
  readonly operation?: string | null | undefined;
  /** What stands in its path, by the names of the placeholders. */
  readonly path?: unknown;
  /** Values to copy from another environment. */
  readonly promote?: ApplyChangesetInputOperationsPromote | null | undefined;
  /** Its query parameters. */
  readonly query?: unknown;
  /** Values to set, by names. */
  readonly set?: ApplyChangesetInputOperationsSet | null | undefined;
  /** Values to delete, by names. */
  readonly unset?: ApplyChangesetInputOperationsUnset | null | undefined;
};

/** Values to copy from another environment. */
type ApplyChangesetInputOperationsPromote = {
  /** Name, id or link of the environment to copy from. */
  readonly from: unknown;
  /** Only these; absent: everything that is set in `from`. */
  readonly names?: ReadonlyArray<string> | null | undefined;
  /** Name, id or link of the project, or a reference. */
  readonly project: unknown;
  /** Name, id or link of the environment to copy to. */
  readonly to: unknown;
};

/** Values to set, by names. */
type ApplyChangesetInputOperationsSet = {
  /** Whether parameters that are not there are made. Those that are inherited get one that overrides. Else such a name is refused. */
  readonly createMissing?: boolean | null | undefined;
  /** Name, id or link of the environment, or a reference. */
  readonly environment: unknown;
  /** Name, id or link of the project, or a reference. */
  readonly project: unknown;
  /** Whether values that have this text already are set again. */
  readonly touch?: boolean | null | undefined;
  /** Texts by names of parameters, or objects where more is to be said than the text. */
  readonly values: unknown;
};

/** Values to delete, by names. */
type ApplyChangesetInputOperationsUnset = {
  /** Name, id or link of the environment, or a reference. */
  readonly environment: unknown;
  /** Names of parameters whose values go. Where nothing is set, nothing is done. */
  readonly names: ReadonlyArray<string>;
  /** Name, id or link of the project, or a reference. */
  readonly project: unknown;
};

export type ApplyChangesetMutationVariables = Exact<{
  input: ApplyChangesetInput;
}>;


export type ApplyChangesetMutation = { readonly applyChangeset:
    | { readonly __typename: 'AppliedChangesetSaved', readonly appliedChangeset: { readonly revision: number } }
    | { readonly __typename: 'Conflict', readonly code: string, readonly message: string }
    | { readonly __typename: 'NotFound', readonly code: string, readonly message: string }
    | { readonly __typename: 'PermissionDenied', readonly code: string, readonly message: string }
    | { readonly __typename: 'PreconditionFailed', readonly code: string, readonly message: string }
    | { readonly __typename: 'ValidationProblem', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
   };

export const ApplyChangeset: Document<ApplyChangesetMutation, ApplyChangesetMutationVariables> = document(
  "mutation ApplyChangeset($input:ApplyChangesetInput!){applyChangeset(input:$input){__typename ...on AppliedChangesetSaved{appliedChangeset{revision}}...on Problem{code message}...on ValidationProblem{fields{field message}}}}",
);
