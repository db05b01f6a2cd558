import { Braces, Lock, TriangleAlert } from 'lucide-react';
import type { CellDisplay } from '../../data/cell.ts';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import styles from './cell.module.css';

/** The maximum length of the text in a cell. The explanation panel shows the complete text. */
const SHOWN_MAX = 200;

/** Shows a value, or a word or an icon if there is no text. */
export function CellContent({ reading }: { readonly reading: CellDisplay }) {
  switch (reading.kind) {
    case 'missing':
      return <span className={styles.nothing}>not set</span>;
    case 'closed':
      return <span className={styles.nothing}>no access</span>;
    case 'null':
      return <span className={styles.null}>null</span>;
    case 'removed':
      return reading.isLost ? (
        <span className={styles.lost}>will be removed</span>
      ) : (
        <span className={styles.word}>may be removed</span>
      );
    case 'inherits':
      return (
        <>
          <span className={styles.word}>inherited:</span> <ShownText text={reading.label} />
        </>
      );
    case 'retype':
      return <span className={styles.word}>re-enter</span>;
    case 'secret':
      return (
        <>
          <SecretIcons isDynamic={reading.dynamic} />
          <span className={styles.dots} role="img" aria-label="secret" />
        </>
      );
    case 'problem':
      return (
        <>
          <TriangleAlert size={12} role="img" aria-label="can’t be resolved:" className={styles.problem} />
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

/** Shows a shortened text, with the number of its lines if there are several. */
function ShownText({ text }: { readonly text: string }) {
  if (text.trim() === '') return <span className={styles.word}>{text === '' ? 'empty' : 'whitespace only'}</span>;
  const lines = text.split('\n').length;
  return (
    <>
      <span className={styles.text} dir="auto">
        {withVisibleCharacters(text.slice(0, SHOWN_MAX))}
      </span>
      {lines > 1 && <span className={styles.lines}>{lines} lines</span>}
    </>
  );
}

/** Shows the icons of a secret, also beside its revealed text. */
export function SecretIcons({ isDynamic }: { readonly isDynamic: boolean }) {
  return (
    <>
      <Lock size={12} aria-hidden />
      {isDynamic && <Braces size={12} role="img" aria-label="dynamic:" className={styles.dynamic} />}
    </>
  );
}
