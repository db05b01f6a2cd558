import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import styles from './done-note.module.css';
import { Undo } from './undo.tsx';

/** An action that has just been applied. */
export interface AppliedAction {
  readonly revision: number;
  /** Whether the change cannot be reverted. */
  readonly isNotRevertible: boolean;
}

/** Confirms an action, with a button to undo it if a revert is possible. */
export function DoneNote({ revision, isNotRevertible }: AppliedAction) {
  const client = useQueryClient();
  return (
    <div className={styles.done}>
      <p role="status">
        <CircleCheck size={16} aria-hidden /> Applied as{' '}
        <Link to="/history/$revision" params={{ revision: String(revision) }} className={styles.link}>
          revision {revision}
        </Link>
        .
      </p>
      {!isNotRevertible && <Undo key={revision} revision={revision} onUndone={() => void client.invalidateQueries()} />}
    </div>
  );
}
