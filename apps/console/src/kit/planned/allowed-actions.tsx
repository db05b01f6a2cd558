import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { ActionPanel, type PageAction, PageActions } from '../../ui/page-actions.tsx';
import { type AppliedAction, DoneNote } from './done-note.tsx';

/** Something that can be done with what a page is about. */
export interface AllowedAction extends PageAction {
  /** Whether who is signed in may. */
  readonly may: boolean;
  readonly form: ReactNode;
}

/** No revert takes back what these do. */
const KEPT_BY_REVERTS: ReadonlySet<string> = new Set(['tag', 'change-tag', 'delete-tag', 'access']);

interface Applying {
  /** What was done last, until something else is being done. */
  readonly done: AppliedAction | null;
  /** It is done: the page goes on without it. */
  applied(revision: number): Promise<void>;
}

/** For a page in whose address stands what is being done (`do`). */
export function useAppliedAction(does: string | undefined): Applying {
  const [done, setDone] = useState<AppliedAction | null>(null);
  const navigate = useNavigate();
  const applied = async (revision: number) => {
    setDone({ revision, isKept: KEPT_BY_REVERTS.has(does ?? '') });
    await navigate({ to: '.', search: (old: object) => ({ ...old, do: undefined, what: undefined }) });
  };
  return { done: does === undefined ? done : null, applied };
}

interface DoableProps {
  readonly name: string;
  readonly verbs: readonly AllowedAction[];
  readonly does: string | undefined;
  readonly done: AppliedAction | null;
  /** Said below the verbs. */
  readonly children?: ReactNode;
}

/** What can be done with what a page is about, what is being done, and what was. */
export function AllowedActions({ name, verbs, does, done, children }: DoableProps) {
  const possible = verbs.filter(({ may }) => may);
  const chosen = possible.find((verb) => verb.does === does);
  return (
    <>
      {possible.length > 0 && <PageActions label={`Actions for ${name}`} verbs={possible} chosen={chosen?.does} />}
      {children}
      {done !== null && <DoneNote {...done} />}
      {chosen && (
        <ActionPanel key={chosen.does} title={chosen.title}>
          {chosen.form}
        </ActionPanel>
      )}
    </>
  );
}
