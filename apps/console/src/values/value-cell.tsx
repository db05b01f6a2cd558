import { Braces, Cloud, Lock } from 'lucide-react';
import { type CellOrigin, type CellReading, readingOf, type ShownCell } from './cell-of.ts';
import styles from './value-cell.module.css';

interface ValueCellProps {
  readonly cell: ShownCell;
  readonly origin: CellOrigin;
  /** Whether its environment is the one that a narrow screen shows. */
  readonly isShown: boolean;
}

export function ValueCell({ cell, origin, isShown }: ValueCellProps) {
  const words = wordsOf(origin, cell);
  return (
    <td className={styles.cell} data-origin={origin} data-shown={isShown}>
      <Reading reading={readingOf(cell)} />
      {words !== null && <span className="heard">, {words}</span>}
    </td>
  );
}

function Reading({ reading }: { readonly reading: CellReading }) {
  switch (reading.kind) {
    case 'missing':
      return <span className={styles.word}>not set</span>;
    case 'null':
      return <span className={styles.null}>null</span>;
    case 'secret':
      return (
        <span className={styles.secret}>
          <Lock size={12} aria-hidden />
          <span aria-hidden>•••••••</span>
          <span className="heard">secret</span>
        </span>
      );
    default:
      return (
        <>
          {reading.kind === 'dynamic' && (
            <Braces size={12} role="img" aria-label="dynamic" className={styles.dynamic} />
          )}
          {reading.kind === 'external' && (
            <Cloud size={12} role="img" aria-label="external" className={styles.external} />
          )}
          {reading.text === '' ? (
            <em className={styles.word}>empty</em>
          ) : (
            <span className={styles.text}>{reading.text}</span>
          )}
        </>
      );
  }
}

/** What ink and ground say, for who hears the page. */
function wordsOf(origin: CellOrigin, cell: ShownCell): string | null {
  if (origin === 'inherited') return `inherited from ${cell?.environmentName}`;
  if (origin === 'project') return 'from another project';
  return origin === 'override' ? 'set here' : null;
}
