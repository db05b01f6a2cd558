import { Undo2 } from 'lucide-react';
import { startTransition, useActionState } from 'react';
import { revertChangeset } from '../../data/changesets.ts';
import { messageWithRequestId, RequestError, WriteError } from '../../lib/request-error.ts';
import button from '../../ui/button.module.css';
import { UserText } from '../../ui/user-text.tsx';
import styles from './review-page.module.css';

interface UndoProps {
  readonly revision: number;
  onUndone(revision: number): void;
}

type UndoState =
  | { readonly kind: 'undone'; readonly revision: number }
  | { readonly kind: 'failed'; readonly message: string };

/** A button that reverts an applied change with a new changeset, unless the values have changed since. */
export function Undo({ revision, onUndone }: UndoProps) {
  const [state, undo, isBusy] = useActionState(async (): Promise<UndoState> => {
    try {
      const made = await revertChangeset({ revision: String(revision) });
      onUndone(made);
      return { kind: 'undone', revision: made };
    } catch (error) {
      if (error instanceof WriteError) {
        return { kind: 'failed', message: [error.message, ...error.places.map(({ message }) => message)].join(' ') };
      }
      if (error instanceof RequestError) return { kind: 'failed', message: messageWithRequestId(error) };
      throw error;
    }
  }, null);
  if (state?.kind === 'undone') return <p role="status">Undone (revision {state.revision}).</p>;
  return (
    <>
      <button type="button" className={button.plain} disabled={isBusy} onClick={() => startTransition(() => undo())}>
        <Undo2 size={14} aria-hidden /> {isBusy ? 'Reverting …' : 'Undo'}
      </button>
      {state?.kind === 'failed' && (
        <p className={styles.trouble} role="alert">
          <UserText>{state.message}</UserText>
        </p>
      )}
    </>
  );
}
