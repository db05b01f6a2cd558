import { CircleX, Clock, GitMerge } from 'lucide-react';
import { memo } from 'react';
import { type CellOrigin, describeOrigin, isExpired, type MatrixRow, type ShownCell } from '../../data/cell.ts';
import type { SecretLocation } from '../../data/explanation.ts';
import styles from '../../kit/cells/cell.module.css';
import { CellContent, SecretIcons } from '../../kit/cells/cell-content.tsx';
import { Reveal } from '../../kit/reveal/reveal.tsx';
import { describeDraftConflict } from '../../lib/draft-status.ts';
import { UserText } from '../../ui/user-text.tsx';
import { CellButtons } from './cell-buttons.tsx';
import { announcedDraft } from './draft-sentence.ts';
import { displayWithDrafts } from './removal.ts';
import type { CellMarks } from './use-cell-actions.ts';

interface GridCellProps extends Partial<CellMarks> {
  readonly column: number;
  readonly line: MatrixRow | undefined;
  readonly cell: ShownCell | undefined;
  readonly origin: CellOrigin | undefined;
  /** Whether the value has just changed. */
  readonly isFresh: boolean;
  readonly isActive: boolean;
  /** Whether the cell is below the pointer. */
  readonly isHovered: boolean;
  /** Whether the cell is in a selected range. */
  readonly isSelected: boolean;
  /** Whether the column stays visible while others scroll. */
  readonly isPinned: boolean;
  /** Whether the inspected cell of the same row inherits its value from this one. */
  readonly isSource: boolean;
  /** The cell to reveal, if it is the active one and secret. */
  readonly secret: SecretLocation | null;
  readonly editor: React.ReactNode;
}

export const GridCell = memo(function GridCell(props: GridCellProps) {
  const { column, line, cell, origin, draft, isActive, isSelected, isPinned, secret } = props;
  const isReady = line !== undefined && cell !== undefined;
  const edit = (draft ?? props.followed)?.edit;
  const reading = cell && displayWithDrafts(cell, line?.secret ?? false, props);
  const state = draftState(props);
  const isRevealable = edit === undefined && secret !== null && reading?.kind === 'secret';
  return (
    <div
      role="gridcell"
      tabIndex={isActive ? 0 : -1}
      aria-colindex={column + 2}
      aria-selected={isActive || isSelected}
      aria-readonly={origin === 'closed' || undefined}
      aria-invalid={state === 'rejected' || state === 'conflict' || undefined}
      className={styles.cell}
      data-column={column}
      data-origin={isReady ? origin : 'waiting'}
      data-draft={state}
      data-selected={isSelected || undefined}
      data-fresh={props.isFresh || undefined}
      data-source={props.isSource || undefined}
      data-pinned={isPinned || undefined}
      style={{ gridColumn: column + 2, ...(isPinned && { insetInlineStart: `var(--at-${column})` }) }}
    >
      {props.editor ??
        (reading && cell ? (
          <>
            {state === 'conflict' && <GitMerge size={12} aria-hidden />}
            {state === 'rejected' && <CircleX size={12} aria-hidden />}
            {isRevealable ? (
              <>
                <SecretIcons isDynamic={reading.dynamic} />
                <Reveal place={secret} isInGrid />
              </>
            ) : (
              <CellContent reading={reading} />
            )}
            {!draft && isExpired(cell, Date.now()) && (
              <span className={styles.expired}>
                <Clock size={11} aria-hidden /> expired
              </span>
            )}
            <Heard text={describeForScreenReader(props)} />
            {/* A revealed secret has its own buttons in the same place. */}
            {props.isHovered && !isRevealable && <CellButtons />}
          </>
        ) : (
          <span className={styles.waiting} />
        ))}
    </div>
  );
});

/** Describes the state of a cell, which is otherwise shown by colours, for screen readers. */
function Heard({ text }: { readonly text: string | null }) {
  return text === null ? null : (
    <span className="heard">
      , <UserText>{text}</UserText>
    </span>
  );
}

type DraftState = 'staged' | 'rejected' | 'conflict' | 'follows' | undefined;

function draftState({ draft, error, conflict, followed }: GridCellProps): DraftState {
  if (!draft) return followed && 'follows';
  return conflict ? 'conflict' : error === undefined ? 'staged' : 'rejected';
}

function describeForScreenReader(props: GridCellProps): string | null {
  const { conflict, error, origin, cell, isFresh } = props;
  const fresh = isFresh ? 'changed just now' : null;
  if (conflict) return [describeDraftConflict(conflict), fresh].filter(Boolean).join(', ');
  if (error !== undefined) return `rejected: ${error}`;
  if (!cell) return fresh;
  const drafted = announcedDraft({ cell, origin, marks: props });
  return drafted ?? ([describeOrigin(origin, cell), fresh].filter(Boolean).join(', ') || null);
}
