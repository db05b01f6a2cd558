import type { Params } from '@strata/domain';
import type { Change } from '../../platform/ledger/change.ts';
import type { ChangesetNote } from '../../platform/ledger/command.ts';
import type { ChangeRow } from '../changesets/changesets.presenter.ts';

export type UnrevertedLocation = Omit<ChangeRow, 'action'>;

/** The object that was not reverted; null if the caller may not know that it exists. */
export interface UnrevertedObject {
  readonly object: UnrevertedLocation | null;
  readonly code: string;
  readonly detail: string;
  /** The names and numbers in the sentence. */
  readonly params?: Params;
}

/** The objects that a revert could not restore. */
export interface RevertReport {
  readonly conflicts: readonly UnrevertedObject[];
  readonly notRevertible: readonly ChangeRow[];
}

/** The result of a revert, as its response needs it. */
export interface CompletedRevert extends RevertReport {
  readonly isChanged: boolean;
  readonly changes: readonly Change[];
  readonly note: ChangesetNote;
}
