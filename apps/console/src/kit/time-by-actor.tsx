import { Link } from '@tanstack/react-router';
import page from '../ui/page.module.css';
import { UserText } from '../ui/user-text.tsx';
import { When } from '../ui/when.tsx';

interface TimeByActorProps {
  readonly at: string;
  readonly actorName: string | null;
  /** The revision of a change, to which the time links; absent for other events. */
  readonly revision?: number | null;
}

/** Shows when something happened, and who did it, as in `5 minutes ago by Ada`. */
export function TimeByActor({ at, actorName, revision = null }: TimeByActorProps) {
  return (
    <>
      {revision === null ? (
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
