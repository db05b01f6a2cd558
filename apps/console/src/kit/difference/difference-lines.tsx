import { useMemo } from 'react';
import { compareTexts, type DifferentLine, textDifference } from '../../lib/text-difference.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import styles from './difference-lines.module.css';

interface DifferenceLinesProps {
  readonly before: string;
  readonly after: string;
  /** The location of the texts if they are values, which have buttons to copy them. */
  readonly of?: string | undefined;
}

/** Shows the changed lines of a text, with three lines of context around each change. */
export function DifferenceLines({ before, after, of }: DifferenceLinesProps) {
  const [lines, note] = useMemo(() => {
    const differenceLines = compareTexts(before, after);
    return [withSurroundings(textDifference(differenceLines.before, differenceLines.after)), differenceLines.note];
  }, [before, after]);
  if (lines.length === 0) return <p className={styles.same}>No differences.</p>;
  return (
    <div className={styles.difference}>
      {note !== null && <p className={styles.same}>{note}</p>}
      <pre className={styles.lines}>
        {lines.map((part, at) =>
          part === null ? (
            <span key={at} className={styles.left}>
              {'  …\n'}
            </span>
          ) : (
            <Line key={at} line={part} />
          ),
        )}
      </pre>
      {of !== undefined && <CopyButtons {...{ before, after, of }} />}
    </div>
  );
}

function CopyButtons({ before, after, of }: Required<DifferenceLinesProps>) {
  const label = withVisibleCharacters(`value of ${of}`);
  return (
    <span className={styles.copies}>
      {before !== '' && <CopyButton text={before} label="Copy old" of={label} />}
      {after !== '' && <CopyButton text={after} label="Copy new" of={label} />}
    </span>
  );
}

function Line({ line: { kind, text } }: { readonly line: DifferentLine }) {
  const shownLine = `${SIGNS[kind]} ${text}\n`;
  if (kind === 'gone') return <del data-line={kind}>{shownLine}</del>;
  return kind === 'new' ? <ins data-line={kind}>{shownLine}</ins> : <span>{shownLine}</span>;
}

const SIGNS = { same: ' ', gone: '−', new: '+' } as const;
const AROUND = 3;
/** The maximum number of lines. */
const LINES_MAX = 1_000;

/** Returns the visible lines; null stands for omitted lines. */
function withSurroundings(lines: readonly DifferentLine[]): readonly (DifferentLine | null)[] {
  const isNear = new Set<number>();
  lines.forEach(({ kind }, at) => {
    if (kind === 'same') return;
    for (let nearIndex = at - AROUND; nearIndex <= at + AROUND; nearIndex += 1) isNear.add(nearIndex);
  });
  const differentLines: (DifferentLine | null)[] = [];
  lines.forEach((line, at) => {
    if (differentLines.length > LINES_MAX) return;
    if (isNear.has(at)) differentLines.push(line);
    else if (isNear.size > 0 && differentLines.at(-1) !== null) differentLines.push(null);
  });
  return differentLines;
}
