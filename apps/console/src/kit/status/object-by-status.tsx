import type { ReactNode } from 'react';
import { ErrorMessage } from '../../ui/error-message.tsx';
import page from '../../ui/page.module.css';
import { PageNote } from '../../ui/page-note.tsx';
import { UserText } from '../../ui/user-text.tsx';
import type { ObjectStatus } from './object-status.ts';

interface AsItStandsProps<Row> {
  /** As the address calls it. */
  readonly name: string;
  readonly standing: ObjectStatus<Row> | null;
  readonly error: Error | null;
  readAgain(): void;
  /** Where it can be brought back from after it was deleted. */
  readonly gone: ReactNode;
  /** Shown where nothing is called so. */
  readonly unknown: ReactNode;
  children(row: Row): ReactNode;
}

/** What a page is about, or what has become of it. */
export function ObjectByStatus<Row>(props: AsItStandsProps<Row>) {
  const { name, standing, error, readAgain, gone, unknown, children } = props;
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
          was deleted. {gone}
        </PageNote>
      );
    case 'unknown':
      return unknown;
  }
}
