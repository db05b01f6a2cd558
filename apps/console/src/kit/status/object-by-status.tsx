import type { ReactNode } from 'react';
import { ErrorMessage } from '../../ui/error-message.tsx';
import page from '../../ui/page.module.css';
import { PageNote } from '../../ui/page-note.tsx';
import { UserText } from '../../ui/user-text.tsx';
import type { ObjectStatus } from './object-status.ts';

interface AsItStandsProps<Row> {
  /** The name in the URL. */
  readonly name: string;
  readonly standing: ObjectStatus<Row> | null;
  readonly error: Error | null;
  readAgain(): void;
  /** A link that restores the object if it was deleted. */
  readonly restoreLink: ReactNode;
  /** The message if no object has the name. */
  readonly unknown: ReactNode;
  children(row: Row): ReactNode;
}

/** Shows the object of a page, or explains why it is not available. */
export function ObjectByStatus<Row>(props: AsItStandsProps<Row>) {
  const { name, standing, error, readAgain, restoreLink, unknown, children } = props;
  if (error) return <ErrorMessage error={error} reset={readAgain} />;
  if (!standing) return <p className={page.page}>Loading …</p>;
  switch (standing.kind) {
    case 'here':
    case 'renamed':
      return children(standing.row);
    case 'gone':
      return (
        <PageNote isNews>
          <strong>
            <UserText>{name}</UserText>
          </strong>{' '}
          was deleted. {restoreLink}
        </PageNote>
      );
    case 'unknown':
      return unknown;
  }
}
