import { Braces, Clock, GitMerge, Lock, TriangleAlert } from 'lucide-react';
import { memo } from 'react';
import type { Draft } from '../drafts/draft.ts';
import { conflictWords } from '../drafts/standing.ts';
import { Reveal, type SecretPlace } from '../explain/reveal.tsx';
import styles from './cell.module.css';
import {
  type CellOrigin,
  type CellReading,
  isExpired,
  type MatrixLine,
  readingOf,
  type ShownCell,
  wishedReading,
} from './cell.ts';
import type { CellMarks } from './use-drafting.ts';

/** A text is shown up to here; the panel shows all of it. */
const SHOWN_MAX = 200;

interface GridCellProps extends Partial<CellMarks> {
  readonly column: number;
  readonly environment: string;
  readonly line: MatrixLine | undefined;
  readonly cell: ShownCell | undefined;
  readonly origin: CellOrigin | undefined;
  /** Whether it reads otherwise than a moment ago. */
  readonly isFresh: boolean;
  readonly isActive: boolean;
  /** The value that is looked at elsewhere in this row comes from here. */
  readonly isSource: boolean;
  /** Where the text of the active cell can be read, should it be secret. */
  readonly secret: SecretPlace | null;
  readonly editor: React.ReactNode;
}

export const GridCell = memo(function GridCell(props: GridCellProps) {
  const { column, line, cell, origin, draft, followed, isActive, isSource, isFresh, secret, editor } = props;
  const isReady = line !== undefined && cell !== undefined;
  const wish = (draft ?? followed)?.wish;
  const reading = wish && line ? wishedReading(wish, line.secret) : cell && readingOf(cell);
  const state = draftState(props);
  return (
    <div
      role="gridcell"
      tabIndex={isActive ? 0 : -1}
      aria-colindex={column + 2}
      aria-selected={isActive}
      aria-readonly={origin === 'closed' || undefined}
      aria-invalid={state === 'refused' || state === 'conflict' || undefined}
      className={styles.cell}
      data-column={column}
      data-origin={isReady ? origin : 'waiting'}
      data-draft={state}
      data-fresh={isFresh || undefined}
      data-source={isSource || undefined}
      style={{ gridColumn: column + 2 }}
    >
      {editor ??
        (reading && cell ? (
          <>
            {state === 'conflict' && <GitMerge size={12} aria-hidden />}
            {wish === undefined && secret && reading.kind === 'secret' ? (
              <>
                <SecretSigns isDynamic={reading.dynamic} />
                <Reveal place={secret} isInGrid />
              </>
            ) : (
              <Reading reading={reading} />
            )}
            {!draft && isExpired(cell, Date.now()) && (
              <span className={styles.expired}>
                <Clock size={11} aria-hidden /> expired
              </span>
            )}
            <Heard words={heardWords(props)} />
          </>
        ) : (
          <span className={styles.waiting} />
        ))}
    </div>
  );
});

function Reading({ reading }: { readonly reading: CellReading }) {
  switch (reading.kind) {
    case 'missing':
      return <span className={styles.nothing}>not set</span>;
    case 'closed':
      return <span className={styles.nothing}>closed</span>;
    case 'null':
      return <span className={styles.null}>null</span>;
    case 'again':
      return <span className={styles.word}>inherits again</span>;
    case 'retype':
      return <span className={styles.word}>type it again</span>;
    case 'secret':
      return (
        <>
          <SecretSigns isDynamic={reading.dynamic} />
          <span className={styles.dots} role="img" aria-label="secret" />
        </>
      );
    case 'problem':
      return (
        <>
          <TriangleAlert size={12} role="img" aria-label="cannot be evaluated:" className={styles.problem} />
          <ShownText text={reading.text} />
        </>
      );
    default:
      return (
        <>
          {reading.kind === 'dynamic' && (
            <Braces size={12} role="img" aria-label="dynamic:" className={styles.dynamic} />
          )}
          <ShownText text={reading.text} />
        </>
      );
  }
}

/** One line of a text, and how many there are. */
function ShownText({ text }: { readonly text: string }) {
  if (text.trim() === '') return <span className={styles.word}>{text === '' ? 'empty' : 'only blanks'}</span>;
  const lines = text.split('\n').length;
  return (
    <>
      <span className={styles.text} dir="auto">
        {text.slice(0, SHOWN_MAX)}
      </span>
      {lines > 1 && <span className={styles.lines}>{lines} lines</span>}
    </>
  );
}

function SecretSigns({ isDynamic }: { readonly isDynamic: boolean }) {
  return (
    <>
      <Lock size={12} aria-hidden />
      {isDynamic && <Braces size={12} role="img" aria-label="dynamic:" className={styles.dynamic} />}
    </>
  );
}

/** What ink and ground say, for who hears the page. */
function Heard({ words }: { readonly words: string | null }) {
  return words === null ? null : <span className="heard">, {words}</span>;
}

type DraftState = 'staged' | 'refused' | 'conflict' | 'follows' | undefined;

function draftState({ draft, refusal, conflict, followed }: GridCellProps): DraftState {
  if (!draft) return followed && 'follows';
  return conflict ? 'conflict' : refusal === undefined ? 'staged' : 'refused';
}

function heardWords(props: GridCellProps): string | null {
  const { draft, conflict, followed, refusal, origin, cell, isFresh } = props;
  const fresh = isFresh ? 'changed just now' : null;
  if (conflict) return [conflictWords(conflict), fresh].filter(Boolean).join(', ');
  if (draft) return draftWords(draft, refusal);
  if (followed) return `would follow ${followed.environmentName}`;
  const words = cell ? originWords(origin, cell) : null;
  return [words, fresh].filter(Boolean).join(', ') || null;
}

function originWords(origin: CellOrigin | undefined, cell: ShownCell): string | null {
  switch (origin) {
    case 'inherited':
      return `inherited from ${cell.environmentName}`;
    case 'project':
      return cell.environmentName === null
        ? `from project ${cell.projectName}`
        : `from project ${cell.projectName} in ${cell.environmentName}`;
    case 'override':
      return 'set here';
    default:
      return null;
  }
}

function draftWords({ wish }: Draft, refusal: string | undefined): string {
  if (refusal !== undefined) return `refused: ${refusal}`;
  return wish.kind === 'unset' ? 'staged, not applied yet' : 'staged here, not applied yet';
}
