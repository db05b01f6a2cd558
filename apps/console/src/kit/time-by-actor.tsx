import { Link } from '@tanstack/react-router';
import page from '../ui/page.module.css';
import { UserText } from '../ui/user-text.tsx';
import { When } from '../ui/when.tsx';

export interface ShownChange {
  /** Absent if the change has no page. */
  readonly revision?: number | null;
  readonly at: string;
  readonly actorName: string | null;
}

/** Shows when an object was last changed, and by whom, as in `5 minutes ago by Ada`. The time links to the change. */
export function LastChange({ change: { revision, at, actorName } }: { readonly change: ShownChange }) {
  return (
    <>
      {revision == null ? (
        <When at={at} />
      ) : (
        <Link to="/history/$revision" params={{ revision: String(revision) }} className={page.link}>
          <When at={at} />
        </Link>
      )}
      {actorName !== null && (
        <>
          {' '}
          by <UserText>{actorName}</UserText>
        </>
      )}
    </>
  );
}
