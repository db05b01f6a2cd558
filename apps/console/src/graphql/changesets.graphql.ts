// Made by tools/console/documents.mjs of changesets.graphql; not edited by hand.
import { type Document, document } from './document.ts';

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
  readonly plan?: SeenPlanInput | null | undefined;
  /** Of a plan: refuse everything unless it still comes to what was planned. */
  readonly planHash?: string | null | undefined;
};

/** What to do, in this order. All of it or nothing. */
type ApplyChangesetInputOperations = {
  /** A name for what it makes: later operations refer to it by `{"$ref": name}`. */
  readonly as?: string | null | undefined;
  /** Its body. */
  readonly body?: unknown;
  /** Refuse it unless this is the `ledger_id` of the object before the changeset; of one that has none, its `modified_at`. */
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

/** What `revertChangeset` takes. Takes a changeset back, against what is there today. It is a changeset itself. */
type RevertChangesetInput = {
  /** What it belongs to elsewhere, such as a ticket or a commit. */
  readonly externalRef?: string | null | undefined;
  /** Why, for people. Absent: it says what is reverted. */
  readonly message?: string | null | undefined;
  /** What becomes of objects that cannot simply be what they were: refuse everything; leave them, and what depends on them, as they are; or lose what was changed since. */
  readonly onConflict?: string | null | undefined;
  /** Only what these operations of it did: their places in its request, from 0. Absent: all. An object that others of its operations wrote as well is a conflict (`shared_change`), and so is one that needs what they made (`needs_skipped`): what an object was between two operations is not kept, so it is what it was before the changeset or stays. */
  readonly operations?: ReadonlyArray<number> | null | undefined;
  /** The plan as it was answered: then a refusal by `plan_hash` tells what is different by now. */
  readonly plan?: SeenPlanInput | null | undefined;
  /** Of a plan: refuse everything unless it still comes to what was planned. */
  readonly planHash?: string | null | undefined;
};

/** What `revert` takes. Makes a project, an environment, a parameter or a value what it was at some point in time. */
type RevertInput = {
  /** What it belongs to elsewhere, such as a ticket or a commit. */
  readonly externalRef?: string | null | undefined;
  /** Why, for people. Absent: it says what is reverted. */
  readonly message?: string | null | undefined;
  /** What becomes of objects that cannot simply be what they were: refuse everything; leave them, and what depends on them, as they are; or lose what was changed since. */
  readonly onConflict?: string | null | undefined;
  /** The plan as it was answered: then a refusal by `plan_hash` tells what is different by now. */
  readonly plan?: SeenPlanInput | null | undefined;
  /** Of a plan: refuse everything unless it still comes to what was planned. */
  readonly planHash?: string | null | undefined;
  /** What. */
  readonly scope: RevertInputScope;
  /** As it was when. */
  readonly to: RevertInputTo;
};

/** What. */
type RevertInputScope = {
  /** Name, id or link of an environment: itself with what is set in it. */
  readonly environment?: string | null | undefined;
  /** Id or link of a parameter: itself with its rules and values. */
  readonly parameter?: string | null | undefined;
  /** Name, id or link of a project: itself with its parameters, rules, values and templates. */
  readonly project?: string | null | undefined;
  /** Id or link of a value. */
  readonly value?: string | null | undefined;
};

/** As it was when. */
type RevertInputTo = {
  /** As it was at this instant. */
  readonly asOf?: string | null | undefined;
  /** Name or id of the environment that `tag` belongs to; nothing else depends on it. */
  readonly environment?: string | null | undefined;
  /** As it was after this revision. */
  readonly revision?: number | null | undefined;
  /** As it was at the instant of this tag; needs `environment`. */
  readonly tag?: string | null | undefined;
};

/** A plan that somebody has looked at, as far as it is compared with another one. */
type SeenPlanInput = {
  /** Of a revert: what it would leave as it is. */
  readonly conflicts?: ReadonlyArray<SeenPlanInputConflicts> | null | undefined;
  /** What programs would read differently. */
  readonly effectiveChanges?: ReadonlyArray<SeenPlanInputEffectiveChanges> | null | undefined;
  /** Of a revert: what it does not take back. */
  readonly notRevertible?: ReadonlyArray<SeenPlanInputNotRevertible> | null | undefined;
  /** What it rests on. */
  readonly objects?: ReadonlyArray<SeenPlanInputObjects> | null | undefined;
  /** The operations that would be refused. */
  readonly refusals?: ReadonlyArray<SeenPlanInputRefusals> | null | undefined;
  /** What cannot be looked at. */
  readonly uncovered?: ReadonlyArray<SeenPlanInputUncovered> | null | undefined;
};

/** Of a revert: what it would leave as it is. */
type SeenPlanInputConflicts = {
  /** Why, for programs: changed_since, made_below, missing_parent, name_taken … */
  readonly code: string;
  /** Why, and what to do about it. */
  readonly detail?: string | null | undefined;
  /** The environment it is about. */
  readonly environmentId?: string | null | undefined;
  /** Name of that environment. */
  readonly environmentName?: string | null | undefined;
  /** Its id. */
  readonly objectId?: string | null | undefined;
  /** Its name; of a value, the name of its parameter. */
  readonly objectName?: string | null | undefined;
  /** What kind of object; null for what is not told. */
  readonly objectType?: string | null | undefined;
  /** The parameter it is about. */
  readonly parameterId?: string | null | undefined;
  /** Name of that parameter. */
  readonly parameterName?: string | null | undefined;
  /** The project it belongs to. */
  readonly projectId?: string | null | undefined;
  /** Name of that project. */
  readonly projectName?: string | null | undefined;
};

/** What programs would read differently. */
type SeenPlanInputEffectiveChanges = {
  /** The text after; null where there is none, or an explicit null. */
  readonly after?: string | null | undefined;
  /** The text before; null where there was none, or an explicit null. */
  readonly before?: string | null | undefined;
  /** Id of the environment. */
  readonly environmentId?: string | null | undefined;
  /** Name of the environment. */
  readonly environmentName: string;
  /** added, changed or removed. */
  readonly kind?: string | null | undefined;
  /** Whether it is secret, or says something that is: then the texts are `*****`. */
  readonly masked?: boolean | null | undefined;
  /** Name of the parameter. */
  readonly parameterName: string;
  /** Why a text cannot be evaluated; null where both can. */
  readonly problem?: string | null | undefined;
  /** Id of the project. */
  readonly projectId?: string | null | undefined;
  /** Name of the project. */
  readonly projectName: string;
};

/** Of a revert: what it does not take back. */
type SeenPlanInputNotRevertible = {
  /** What was done. */
  readonly action?: AuditAction | null | undefined;
  /** The environment it is about. */
  readonly environmentId?: string | null | undefined;
  /** Name of that environment. */
  readonly environmentName?: string | null | undefined;
  /** Id of the object. */
  readonly objectId: string;
  /** Its name; of a value, the name of its parameter. */
  readonly objectName?: string | null | undefined;
  /** What kind of object, such as Value; those of the audit, Group and Webhook. */
  readonly objectType: string;
  /** The parameter it is about. */
  readonly parameterId?: string | null | undefined;
  /** Name of that parameter. */
  readonly parameterName?: string | null | undefined;
  /** The project it belongs to. */
  readonly projectId?: string | null | undefined;
  /** Name of that project. */
  readonly projectName?: string | null | undefined;
  /** Why it stays. */
  readonly reason?: string | null | undefined;
};

/** What it rests on. */
type SeenPlanInputObjects = {
  /** Its id; or a place that was empty, by names. */
  readonly object: string;
  /** Its `ledger_id`, or the revision of its last change where it has none; null where nothing was. */
  readonly version?: string | null | undefined;
};

/** The operations that would be refused. */
type SeenPlanInputRefusals = {
  /** The code of its refusal; `skipped`: it refers to one that was refused. */
  readonly code?: string | null | undefined;
  /** The body that it would be answered with alone. */
  readonly error?: unknown;
  /** Its place in the request, from 0. */
  readonly index: number;
  /** The status that it would get alone; null when it was skipped. */
  readonly status?: number | null | undefined;
};

/** What cannot be looked at. */
type SeenPlanInputUncovered = {
  /** Name of the environment. */
  readonly environmentName?: string | null | undefined;
  /** Name of the parameter or template. */
  readonly name: string;
  /** Name of the project. */
  readonly projectName?: string | null | undefined;
  /** Why it cannot be told: `not_evaluated` (the text cannot be evaluated), `template` (templates say what changes; their texts are not compared), `secret_not_judged` (a secret is not held against a type or a rule by a plan). */
  readonly reason: string;
};

export type ApplyChangesetMutationVariables = Exact<{
  input: ApplyChangesetInput;
}>;


export type ApplyChangesetMutation = { readonly applyChangeset:
    | { readonly __typename: 'AppliedChangesetSaved', readonly appliedChangeset: { readonly revision: number } }
    | { readonly __typename: 'Conflict', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'NotFound', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PermissionDenied', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PreconditionFailed', readonly code: string, readonly message: string }
    | { readonly __typename: 'ValidationProblem', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
   };

export type RevertChangesetMutationVariables = Exact<{
  revision: string;
  input?: RevertChangesetInput | null | undefined;
}>;


export type RevertChangesetMutation = { readonly revertChangeset:
    | { readonly __typename: 'Conflict', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'NotFound', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PermissionDenied', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PreconditionFailed', readonly code: string, readonly message: string }
    | { readonly __typename: 'RevertedChangesetSaved', readonly revertedChangeset: { readonly revision: number } }
    | { readonly __typename: 'ValidationProblem', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
   };

export type ReturnToMutationVariables = Exact<{
  input: RevertInput;
}>;


export type ReturnToMutation = { readonly revert:
    | { readonly __typename: 'Conflict', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'NotFound', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PermissionDenied', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PreconditionFailed', readonly code: string, readonly message: string }
    | { readonly __typename: 'RevertedChangesetSaved', readonly revertedChangeset: { readonly revision: number } }
    | { readonly __typename: 'ValidationProblem', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
   };

export const ApplyChangeset: Document<ApplyChangesetMutation, ApplyChangesetMutationVariables> = document(
  'ApplyChangeset',
  '2df6faa2d63ef3840d21aca627b91240e11376660a8cdcf566b32a46de0999ce',
);

export const RevertChangeset: Document<RevertChangesetMutation, RevertChangesetMutationVariables> = document(
  'RevertChangeset',
  'ad6cc73268d2000f422dfefead42b84955726e006e65070c81ce79034370f660',
);

export const ReturnTo: Document<ReturnToMutation, ReturnToMutationVariables> = document(
  'ReturnTo',
  '53c9f1b6f6fed66ad03874b83fdf8d88876d579fcc7cb01bb241fcccc6f211ec',
);
