import { useQuery } from '@tanstack/react-query';
import type { RefObject } from 'react';
import { isExpired } from '../../data/cell.ts';
import { type CellLocation, lastChangeQuery } from '../../data/explanation.ts';
import { describeDraftConflict } from '../../lib/draft-status.ts';
import { formatInstant } from '../../lib/instant.ts';
import button from '../../ui/button.module.css';
import { useSettled } from '../../ui/use-settled.ts';
import { UserText } from '../../ui/user-text.tsx';
import { describeRows } from './cell-range.ts';
import { capitalized, draftSentence } from './draft-sentence.ts';
import type { GridHandle } from './grid-props.ts';
import { describeSelection, type GridDispatch, type GridState, hasSelectedRows, selectedRange } from './grid-state.ts';
import type { InspectedCell } from './inspected-cell.ts';
import styles from './status-line.module.css';

/** The delay before the details are loaded, so that moving quickly through cells loads nothing. */
const SETTLED_MS = 200;

interface StatusLineProps {
  readonly state: GridState;
  readonly dispatch: GridDispatch;
  readonly grid: RefObject<GridHandle | null>;
  readonly inspected: InspectedCell | null;
  /** The reason why the grid does not show or store everything; null if it does. */
  readonly problem: string | null;
  readonly isReadOnly: boolean;
}

/**
 * Describes the inspected cell in one sentence: where its value comes from, when it changed and who changed it. The line has a fixed
 * height.
 */
export function StatusLine({ inspected, problem, isReadOnly, ...context }: StatusLineProps) {
  const { state } = context;
  const notice = describeSelection(state);
  const gridWarning = state.message?.kind === 'warning' ? state.message.text : problem;
  const warning = gridWarning ?? (notice === null ? inspected && describeWarning(inspected) : null);
  const text = warning ?? notice;
  return (
    <section className={styles.line} aria-label="Status" data-region data-warning={warning !== null || undefined}>
      <p className={styles.words} aria-live="polite">
        <UserText>{text}</UserText>
      </p>
      {text === null && <p className={styles.words}>{inspected ? <Sentence inspected={inspected} /> : ' '}</p>}
      {hasSelectedRows(state) ? <SelectedRows {...context} /> : <Keys isReadOnly={isReadOnly} />}
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
function SelectedRows({ state, dispatch, grid }: Pick<StatusLineProps, 'state' | 'dispatch' | 'grid'>) {
  const { lines } = state.rows;
  const range = selectedRange(state);
  return (
    <div className={styles.rows}>
      <p role="status">{describeRows(range, lines.total, lines.hiddenIn(range))}</p>
      <button
        type="button"
        className={button.plain}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => {
          const { left, top } = currentTarget.getBoundingClientRect();
          grid.current?.openMenu({ x: left, y: top });
        }}
      >
        Actions
      </button>
      <button
        type="button"
        className={button.quiet}
        onClick={() => {
          dispatch({ kind: 'clearSelection' });
          grid.current?.focus();
        }}
      >
        Clear
      </button>
    </div>
  );
}

function describeWarning({ marks: { conflict, error } }: InspectedCell): string | null {
  if (conflict) return `${capitalized(describeDraftConflict(conflict))}. Nothing is overwritten. Choose in the review.`;
  return error ?? null;
}

function Sentence({ inspected }: { readonly inspected: InspectedCell }) {
  const { location, environmentName, cell, origin } = inspected;
  const drafted = draftSentence(inspected);
  return (
    <>
      <b>
        <UserText>{location.name}</UserText>
      </b>{' '}
      in{' '}
      <b>
        <UserText>{environmentName}</UserText>
      </b>{' '}
      {drafted === null ? (
        <>
          <Whence origin={origin} cell={cell} />
          {origin !== 'closed' && <Since location={location} version={cell.ledgerId} />}
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
          · {isExpired(cell, Date.now()) ? 'expired' : 'expires'} {formatInstant(cell.expiresAt)}
        </span>
      )}
    </>
  );
}

function Whence({ origin, cell }: Pick<InspectedCell, 'origin' | 'cell'>) {
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
  readonly location: CellLocation;
  /** The version of the value that is set in the cell; null if there is none. */
  readonly version: string | null;
}

function Since({ location, version }: SinceProps) {
  const settled = useSettled(location, SETTLED_MS, JSON.stringify(location));
  const { data: lastChange } = useQuery({
    ...lastChangeQuery(settled ?? location, version),
    enabled: settled !== null,
  });
  if (!settled || !lastChange) return null;
  if (lastChange.at === null) return <span> · since revision {lastChange.revision}</span>;
  return (
    <span>
      {' '}
      · {lastChange.exact ? 'since' : 'since at least'} {formatInstant(lastChange.at)}
      {lastChange.actorName !== null && (
        <>
          {' '}
          by <UserText>{lastChange.actorName}</UserText>
        </>
      )}
    </span>
  );
}
