import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useLocation, useRouter } from '@tanstack/react-router';
import { Hourglass } from 'lucide-react';
import { useEffect, useState } from 'react';
import { sessionQuery } from '../../data/session.ts';
import { clearUserData } from '../../kit/clear-user-data.ts';
import { useDrafts } from '../../kit/drafts/drafts.ts';
import { formatClockTime } from '../../ui/time.ts';
import styles from './session-end.module.css';

const WARN_BEFORE_MS = 5 * 60_000;
/** The interval of checks. A single long timer would fire too late after the computer has slept. */
const LOOK_MS = 10_000;

/** Warns the user five minutes before the session ends, and opens the sign-in page when it has ended. */
export function SessionEnd() {
  const { data: session } = useQuery({ ...sessionQuery, enabled: false });
  const endsAt = session?.endsAt ?? null;
  const left = useMillisecondsUntil(endsAt);
  const client = useQueryClient();
  const router = useRouter();
  const back = useLocation({ select: ({ href }) => href });
  const { drafts } = useDrafts();
  const isOver = left !== null && left <= 0;
  useEffect(() => {
    if (!isOver) return;
    const leave = async () => {
      // Another tab may have replaced the session meanwhile.
      const now = await client.fetchQuery({ ...sessionQuery, staleTime: 0 }).catch(() => null);
      if (now?.endsAt && Date.parse(now.endsAt) > Date.now()) return;
      const { href } = router.state.location;
      await router.navigate({ to: '/sign-in', search: { back: href } });
      clearUserData(client);
    };
    void leave();
  }, [isOver, router, client]);
  if (endsAt === null || left === null || isOver || left > WARN_BEFORE_MS) return null;
  const minutes = Math.ceil(left / 60_000);
  return (
    <p className={styles.end} role="status">
      <Hourglass size={14} aria-hidden />
      <span>
        Your session ends at {formatClockTime(endsAt)}, in {minutes} {minutes === 1 ? 'minute' : 'minutes'}.
        {drafts.size > 0 && ' Your drafts are kept.'}
      </span>
      <Link to="/sign-in" search={{ back }}>
        Sign in again
      </Link>
    </p>
  );
}

function useMillisecondsUntil(instant: string | null): number | null {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), LOOK_MS);
    return () => clearInterval(timer);
  }, []);
  return instant === null ? null : Date.parse(instant) - now;
}
