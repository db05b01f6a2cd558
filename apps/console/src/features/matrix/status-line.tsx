import { useQuery } from '@tanstack/react-query';
import { type CellOrigin, isExpired, type ShownCell } from '../../data/cell.ts';
import { type CellLocation, lastChangeQuery } from '../../data/explanation.ts';
import { describeDraftConflict } from '../../lib/draft-status.ts';
import { instantWords } from '../../lib/instant.ts';
import button from '../../ui/button.module.css';
import { useSettled } from '../../ui/use-settled.ts';
import { UserText } from '../../ui/user-text.tsx';
import { capitalized, draftSentence } from './draft-sentence.ts';
import styles from './status-line.module.css';
import type { CellMarks } from './use-cell-actions.ts';

/** The inspected cell. */
export interface FocusedCell {
  readonly place: CellLocation;
  readonly environmentName: string;
  readonly cell: ShownCell;
  readonly origin: CellOrigin;
  readonly marks: CellMarks;
}

/** The delay before the details are loaded, so that moving quickly through cells loads nothing. */
const SETTLED_MS = 200;

interface StatusLineProps {
  readonly focused: FocusedCell | null;
  /** The last warning, which replaces the description. */
  readonly warning: string | null;
  /** The result of an action or the size of the selected range, which also replaces the description. */
  readonly notice: string | null;
  readonly isReadOnly: boolean;
  /** The selected rows; null if no whole row is selected. */
  readonly rows: SelectedRows | null;
}

export interface SelectedRows {
  readonly words: string;
  onMenu(at: { readonly x: number; readonly y: number }): void;
  onClear(): void;
}

/**
 * Describes the inspected cell in one sentence: where its value comes from, when it changed and who changed it. The line has a fixed
 * height.
 */
export function StatusLine({ focused, warning, notice, isReadOnly, rows }: StatusLineProps) {
  const warned = warning ?? (notice === null ? focused && warningOf(focused) : null);
  const words = warned ?? notice;
  return (
    <section className={styles.line} aria-label="Status" data-region data-warning={warned !== null || undefined}>
      <p className={styles.words} aria-live="polite">
        <UserText>{words}</UserText>
      </p>
      {words === null && <p className={styles.words}>{focused ? <Sentence looked={focused} /> : ' '}</p>}
      {rows ? <Rows {...rows} /> : <Keys isReadOnly={isReadOnly} />}
    </section>
  );
}

function Keys({ isReadOnly }: Pick<StatusLineProps, 'isReadOnly'>) {
  return (
    <p className={styles.keys} aria-hidden>
      {!isReadOnly && (
        <>
          <kbd>Enter</kbd> edit <kbd>Del</kbd> inherit
        </>
      )}
      <kbd>Space</kbd> explain <kbd>?</kbd> keys
    </p>
  );
}

/** The number of selected rows, with a button for the menu of their actions. */
function Rows({ words, onMenu, onClear }: SelectedRows) {
  return (
    <div className={styles.rows}>
      <p role="status">{words}</p>
      <button
        type="button"
        className={button.plain}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => {
          const { left, top } = currentTarget.getBoundingClientRect();
          onMenu({ x: left, y: top });
        }}
      >
        Actions
      </button>
      <button type="button" className={button.quiet} onClick={onClear}>
        Clear
      </button>
    </div>
  );
}

function warningOf({ marks: { conflict, refusal } }: FocusedCell): string | null {
  if (conflict) return `${capitalized(describeDraftConflict(conflict))}. Nothing is overwritten. Choose in the review.`;
  return refusal ?? null;
}

function Sentence({ looked: inspected }: { readonly looked: FocusedCell }) {
  const { place, environmentName, cell, origin } = inspected;
  const drafted = draftSentence(inspected);
  return (
    <>
      <b>
        <UserText>{place.name}</UserText>
      </b>{' '}
      in{' '}
      <b>
        <UserText>{environmentName}</UserText>
      </b>{' '}
      {drafted === null ? (
        <>
          <Whence origin={origin} cell={cell} />
          {origin !== 'closed' && <Since place={place} version={cell.ledgerId} />}
        </>
      ) : (
        <span className={styles.draft}>
          · <UserText>{drafted}</UserText>
        </span>
      )}
      {cell.problem !== null && (
        <span className={styles.problem}>
          {' '}
          · <UserText>{cell.problem}</UserText>
        </span>
      )}
      {cell.expiresAt !== null && (
        <span>
          {' '}
          · {isExpired(cell, Date.now()) ? 'expired' : 'expires'} {instantWords(cell.expiresAt)}
        </span>
      )}
    </>
  );
}

function Whence({ origin, cell }: Pick<FocusedCell, 'origin' | 'cell'>) {
  switch (origin) {
    case 'own':
      return 'is set here';
    case 'override':
      return cell.states.includes('redundant') ? 'is set here, same as inherited' : 'overrides the inherited value';
    case 'inherited':
      return (
        <>
          is inherited from{' '}
          <b>
            <UserText>{cell.environmentName}</UserText>
          </b>
        </>
      );
    case 'project':
      return (
        <>
          is from project{' '}
          <b>
            <UserText>{cell.projectName}</UserText>
          </b>
          {cell.environmentName !== null && (
            <>
              , set in{' '}
              <b>
                <UserText>{cell.environmentName}</UserText>
              </b>
            </>
          )}
        </>
      );
    case 'missing':
      return 'is not set here or in any parent';
    case 'closed':
      return 'is hidden: you don’t have access';
  }
}

interface SinceProps {
  readonly place: CellLocation;
  /** The version of the value that is set in the cell; null if there is none. */
  readonly version: string | null;
}

function Since({ place, version }: SinceProps) {
  const settled = useSettled(place, SETTLED_MS, JSON.stringify(place));
  const { data: since } = useQuery({ ...lastChangeQuery(settled ?? place, version), enabled: settled !== null });
  if (!settled || !since) return null;
  if (since.at === null) return <span> · since revision {since.revision}</span>;
  return (
    <span>
      {' '}
      · {since.exact ? 'since' : 'since at least'} {instantWords(since.at)}
      {since.actorName !== null && (
        <>
          {' '}
          by <UserText>{since.actorName}</UserText>
        </>
      )}
    </span>
  );
}
