import type { Change } from '../../platform/ledger/change.ts';
import type { ChangesetNote } from '../../platform/ledger/command.ts';
import type { ChangeRow } from '../changesets/changesets.presenter.ts';

export type UnrevertedPlace = Omit<ChangeRow, 'action'>;

/** An object that is left as it is; null where even that is not told. */
export interface UnrevertedObject {
  readonly object: UnrevertedPlace | null;
  readonly code: string;
  readonly detail: string;
}

/** What a revert comes to, besides what it writes. */
export interface RevertReport {
  /** What was left as it is, and why. */
  readonly conflicts: readonly UnrevertedObject[];
  readonly notRevertible: readonly ChangeRow[];
}

/** What a revert leaves behind for its answer. */
export interface DoneRevert extends RevertReport {
  readonly isChanged: boolean;
  readonly changes: readonly Change[];
  readonly note: ChangesetNote;
}
