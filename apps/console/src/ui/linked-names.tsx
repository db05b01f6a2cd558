import { CornerDownRight } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';

interface LinkedNamesProps {
  readonly rows: readonly { readonly id: string; readonly name: string }[];
  /** Renders a name as a link. */
  children(name: string): ReactNode;
}

/** Lists linked names within a sentence. */
export function NamesInSentence({ rows, children }: LinkedNamesProps) {
  return rows.map(({ id, name }, at) => (
    <Fragment key={id}>
      {at > 0 && ', '}
      {children(name)}
    </Fragment>
  ));
}

interface NamesBelowProps extends LinkedNamesProps {
  readonly label: string;
  /** The text if there are no names. */
  readonly none: string;
}

/** Lists linked names, one per line. */
export function LinkedNameList({ label, none, rows, children }: NamesBelowProps) {
  if (rows.length === 0) return none;
  return (
    <ul aria-label={label}>
      {rows.map(({ id, name }) => (
        <li key={id}>
          <CornerDownRight size={12} aria-hidden /> {children(name)}
        </li>
      ))}
    </ul>
  );
}
