import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import styles from './done-note.module.css';
import { Undo } from './undo.tsx';

interface DoneNoteProps {
  readonly revision: number;
  onUndone(): void;
}

/** That something was done just now, with the way back. */
export function DoneNote({ revision, onUndone }: DoneNoteProps) {
  return (
    <div className={styles.done}>
      <p role="status">
        <CircleCheck size={16} aria-hidden /> Done as{' '}
        <Link to="/history/$revision" params={{ revision: String(revision) }} className={styles.link}>
          revision {revision}
        </Link>
        .
      </p>
      <Undo key={revision} revision={revision} onUndone={onUndone} />
    </div>
  );
}
