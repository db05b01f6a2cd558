import type { NotRevertible, RevertConflict, SeenPlan } from '@strata/contract';
import type { Revision } from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import type { Change } from '../../platform/ledger/change.ts';
import type { ChangesetNote, WriteContext } from '../../platform/ledger/command.ts';
import type { PreparedStep } from './steps.ts';

/** The steps of one write: the operations of a changeset, or the steps of a revert. */
export interface PreparedSteps {
  /** The operation id of the contract, such as `changesets_create`. */
  readonly operation: string;
  readonly caller: Caller;
  readonly note: ChangesetNote;
  /** Whether to delete what was read recently, too. */
  readonly isForced: boolean;
  /** Returns the JSON pointer to the operation that made a change; absent if the request has no operations. */
  readonly locateChange?: (change: Change) => string;
  /** The write fails with 412 if an object to be written has changed after this revision. Null disables the check. */
  readonly baseRevision: Revision | null;
  /** The request as JSON. Equal requests have equal JSON. */
  readonly request: unknown;
  /** Whether a plan runs as if its caller could write what they may read. */
  readonly assumesWrite?: boolean;
  /** The plan whose effects the steps must still have; null if the request contains no plan hash. */
  readonly expectedPlan: ExpectedPlan | null;
  /** Returns what a revert could not restore. Call it after the steps have run. */
  readonly unreverted?: () => UnrevertedLists;
  /** The time limit of the steps, in milliseconds. Other writers of the organization wait during this time. */
  readonly executionMsMax: number;
  /** The advice in the error that a request gets if it takes too long. */
  readonly advice: string;
  /**
   * Returns the steps. Called once, inside the write, because the steps may depend on the state that the write finds.
   */
  steps(context: WriteContext): readonly PreparedStep[] | Promise<readonly PreparedStep[]>;
}

/** Everything that a revert could not restore. A response shows only the first entries of each list. */
export interface UnrevertedLists {
  readonly conflicts: readonly RevertConflict[];
  readonly not_revertible: readonly NotRevertible[];
}

export interface ExpectedPlan {
  readonly hash: string;
  /** The plan that the client received; null if the request does not contain it. */
  readonly plan: SeenPlan | null;
}
