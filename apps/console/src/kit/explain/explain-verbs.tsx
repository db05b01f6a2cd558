import { Link } from '@tanstack/react-router';
import { PencilLine, Search, Undo2 } from 'lucide-react';
import type { CellExplanation, CellLocation } from '../../data/explanation.ts';
import button from '../../ui/button.module.css';
import { UserText } from '../../ui/user-text.tsx';
import styles from './explain-panel.module.css';

/** The actions on the explained cell. */
export interface ExplainActions {
  /** Whether the user may write in the cell. */
  readonly canWrite: boolean;
  /** Opens the editor; null if the cell cannot be edited. */
  readonly edit: (() => void) | null;
  /** Removes the value; null if none is set in the cell. */
  readonly unset: (() => void) | null;
  /** Shows the cell in the matrix; null if the matrix already shows it. */
  readonly find: (() => void) | null;
  /** Returns a function that shows the cell in which the value is set; null if that cell is hidden or in another project. */
  goTo(environmentName: string): (() => void) | null;
}

interface VerbsProps {
  readonly place: CellLocation;
  readonly verbs: ExplainActions;
  readonly isHere: boolean;
  readonly winner: CellExplanation['winner'];
}

/** Shows the actions as buttons. */
export function Verbs({ place, verbs, isHere, winner }: VerbsProps) {
  const isOurs = winner?.projectId === place.projectId;
  const title = verbs.canWrite ? `Edit in ${winner?.environmentName ?? 'source'}` : 'Show source';
  const goTo = winner && isOurs && !isHere ? verbs.goTo(winner.environmentName) : null;
  return (
    <div className={styles.verbs}>
      {verbs.find && (
        <button type="button" className={button.plain} onClick={verbs.find}>
          <Search size={14} aria-hidden /> Show in the matrix
        </button>
      )}
      {verbs.edit && (
        <button type="button" className={button.plain} onClick={verbs.edit}>
          <PencilLine size={14} aria-hidden /> {isHere ? 'Edit' : winner ? 'Override here' : 'Set here'}
        </button>
      )}
      {verbs.unset && isHere && (
        <button type="button" className={button.plain} onClick={verbs.unset}>
          <Undo2 size={14} aria-hidden /> Remove override
        </button>
      )}
      {goTo && (
        <button type="button" className={button.plain} onClick={goTo}>
          <UserText>{title}</UserText>
        </button>
      )}
      {winner && !isOurs && (
        <Link
          className={button.plain}
          to="/projects/$name"
          params={{ name: winner.projectName }}
          search={{ cell: place.name, in: winner.environmentName }}
        >
          <UserText>{title}</UserText>
        </Link>
      )}
    </div>
  );
}
