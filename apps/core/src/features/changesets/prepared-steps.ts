import type { NotRevertible, RevertConflict, SeenPlan } from '@strata/contract';
import type { Revision } from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import type { ChangesetNote, WriteContext } from '../../platform/ledger/command.ts';
import type { PreparedStep } from './steps.ts';

/** The steps of one write: the operations of a changeset, or the revert of earlier ones. */
export interface PreparedSteps {
  /** The operation of the contract, such as `changesets_create`. */
  readonly operation: string;
  readonly caller: Caller;
  readonly note: ChangesetNote;
  /** Throws 412 if an object to be written has changed after this revision; null for no such check. */
  readonly baseRevision: Revision | null;
  /** The request as JSON. Equal requests have equal JSON. */
  readonly request: unknown;
  /** The plan whose effects the steps must still have; null if the request expects none. */
  readonly expectedPlan: ExpectedPlan | null;
  /** Returns what a revert could not restore. Call it after the steps. */
  readonly unreverted?: () => UnrevertedLists;
  /** The time limit of the steps, during which other writers wait. */
  readonly executionMsMax: number;
  /** The advice in the error of a request that takes too long. */
  readonly advice: string;
  /** Called once inside the write, because the steps may depend on the state that it finds. */
  steps(context: WriteContext): readonly PreparedStep[] | Promise<readonly PreparedStep[]>;
}

/** The complete lists, while a response shows only the first entries. */
export interface UnrevertedLists {
  readonly conflicts: readonly RevertConflict[];
  readonly not_revertible: readonly NotRevertible[];
}

export interface ExpectedPlan {
  readonly hash: string;
  /** The plan as the client received it; null if the request does not include it. */
  readonly plan: SeenPlan | null;
}
