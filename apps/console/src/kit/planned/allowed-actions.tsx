import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { ActionPanel, type PageAction, PageActions } from '../../ui/page-actions.tsx';
import { type AppliedAction, DoneNote } from './done-note.tsx';

/** An action on the object of a page, with its form. */
export interface AllowedAction extends PageAction {
  /** Whether the user may run it. */
  readonly may: boolean;
  readonly form: ReactNode;
}

/** The actions that a revert cannot undo. */
const NOT_REVERTIBLE: ReadonlySet<string> = new Set(['tag', 'change-tag', 'delete-tag', 'access']);

interface Applying {
  /** The last applied action; null after another action was opened. */
  readonly done: AppliedAction | null;
  /** Closes the open action after it was applied. */
  applied(revision: number): Promise<void>;
}

/** Tracks the applied action of a page whose URL contains the open action (`do`). */
export function useAppliedAction(requestedAction: string | undefined): Applying {
  const [appliedAction, setAppliedAction] = useState<AppliedAction | null>(null);
  const navigate = useNavigate();
  const onApplied = async (revision: number) => {
    setAppliedAction({ revision, isNotRevertible: NOT_REVERTIBLE.has(requestedAction ?? '') });
    await navigate({
      to: '.',
      search: (previousSearch: object) => ({ ...previousSearch, do: undefined, what: undefined }),
    });
  };
  return { done: requestedAction === undefined ? appliedAction : null, applied: onApplied };
}

interface AllowedActionsProps {
  readonly name: string;
  readonly verbs: readonly AllowedAction[];
  readonly does: string | undefined;
  readonly done: AppliedAction | null;
}

/** Shows the actions on the object of a page, the open action, and a note about the last applied one. */
export function AllowedActions({ name, verbs, does, done }: AllowedActionsProps) {
  const possible = verbs.filter(({ may }) => may);
  const chosenAction = possible.find((verb) => verb.does === does);
  return (
    <>
      {possible.length > 0 && (
        <PageActions label={`Actions for ${name}`} verbs={possible} chosen={chosenAction?.does} />
      )}
      {done !== null && <DoneNote {...done} />}
      {chosenAction && (
        <ActionPanel key={chosenAction.does} title={chosenAction.title}>
          {chosenAction.form}
        </ActionPanel>
      )}
    </>
  );
}
