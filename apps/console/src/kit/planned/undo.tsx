import { useMutation } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { revertChangeset } from '../../data/changesets.ts';
import { describeError, WriteError } from '../../lib/request-error.ts';
import button from '../../ui/button.module.css';
import { UserText } from '../../ui/user-text.tsx';
import styles from './review-page.module.css';

interface UndoProps {
  readonly revision: number;
  onUndone(): void;
}

/** A button that reverts an applied change with a new changeset, unless the values have changed since. */
export function Undo({ revision, onUndone }: UndoProps) {
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => revertChangeset({ revision: String(revision) }),
    onSuccess: onUndone,
  });
  if (data !== undefined) return <p role="status">Undone (revision {data}).</p>;
  return (
    <>
      <button type="button" className={button.plain} disabled={isPending} onClick={() => mutate()}>
        <Undo2 size={14} aria-hidden /> {isPending ? 'Reverting …' : 'Undo'}
      </button>
      {error && (
        <p className={styles.trouble} role="alert">
          <UserText>{describeUndoError(error)}</UserText>
        </p>
      )}
    </>
  );
}

const describeUndoError = (error: Error): string =>
  [describeError(error), ...(error instanceof WriteError ? error.fieldErrors : []).map(({ message }) => message)].join(
    ' ',
  );
