import type { NotRevertible, RevertConflict, SeenPlan } from '@strata/contract';
import type { Revision } from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import type { ChangesetNote, WriteContext } from '../../platform/ledger/command.ts';
import type { PreparedStep } from './steps.ts';

/** Steps to carry out as one changeset, wherever they come from: the operations of a request, or what takes an earlier one back. */
export interface PreparedSteps {
  /** The operation of the contract that asks for it. */
  readonly operation: string;
  readonly caller: Caller;
  readonly note: ChangesetNote;
  /** Nothing that is written may have been changed after it. */
  readonly baseRevision: Revision | null;
  /** What was asked for, as JSON: the same again is the same. */
  readonly asked: unknown;
  /** The plan that it must still come to. */
  readonly wanted: WantedPlan | null;
  /** Of a revert: what it leaves as it is. Asked once the steps are carried out. */
  readonly unreverted?: () => Unreverted;
  /** How long it may take to carry it out while other writers wait, in a write and in a plan of it. */
  readonly executionMs: number;
  /** What to ask for instead where it takes too long. */
  readonly smaller: string;
  /** Asked inside the write, once: what shows only there decides what the steps are. */
  steps(context: WriteContext): readonly PreparedStep[] | Promise<readonly PreparedStep[]>;
}

/** Complete. */
export interface Unreverted {
  readonly conflicts: readonly RevertConflict[];
  readonly not_revertible: readonly NotRevertible[];
}

export interface WantedPlan {
  readonly hash: string;
  /** As it was answered, where it was sent along. */
  readonly plan: SeenPlan | null;
}
