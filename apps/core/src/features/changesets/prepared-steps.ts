import type { Revision } from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import type { ChangesetNote, Command, WriteContext } from '../../platform/ledger/command.ts';
import { ChangesetRun, type DoneStep, type PreparedStep } from './changeset-run.ts';
import type { Step } from './steps.ts';

/** Steps to carry out as one changeset, wherever they come from: the operations of a request, or what takes an earlier one back. */
export interface PreparedSteps {
  /** The operation of the contract that asks for it. */
  readonly operation: string;
  readonly caller: Caller;
  readonly note: ChangesetNote;
  /** Nothing that is written may have been changed after it. */
  readonly baseRevision: Revision | null;
  /** Asked inside the write, once: what shows only there decides what the steps are. */
  steps(context: WriteContext): readonly PreparedStep[] | Promise<readonly PreparedStep[]>;
}

/** What a changeset leaves behind for its answer. */
export interface DoneChangeset {
  readonly isChanged: boolean;
  readonly steps: readonly (DoneStep & Pick<Step, 'name' | 'as'>)[];
}

/** Many steps as one command: one revision, all or nothing. */
export function changesetCommand(prepared: PreparedSteps): Command<DoneChangeset> {
  const { operation, caller, note, baseRevision } = prepared;
  return {
    operation,
    caller,
    isLong: true,
    note,
    run: async (context) => {
      const steps = await prepared.steps(context);
      const { isChanged, steps: done } = await new ChangesetRun(caller, context, baseRevision).all(steps);
      return { isChanged, steps: done.map((each, index) => ({ ...each, ...namesOf(steps[index]) })) };
    },
  };
}

function namesOf(prepared: PreparedStep | undefined): Pick<Step, 'name' | 'as'> {
  return { name: prepared?.step.name ?? '', as: prepared?.step.as ?? null };
}
