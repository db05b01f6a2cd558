import { formatInstant } from '../lib/instant.ts';
import { relativeTime, upcomingTime } from '../lib/relative-time.ts';
import { exactTime, formatClockTime } from './time.ts';
import { useNow } from './use-now.ts';

interface WhenProps {
  readonly at: string;
  /**
   * `relative`: as in `5 minutes ago`. `upcoming`: relative as well, and `now` for an event that is due. `date`: date and time, also for a
   * time close to now. `clock`: only the time of day.
   */
  readonly as?: 'relative' | 'upcoming' | 'date' | 'clock';
}

/** Shows a time, with the exact time in the tooltip. Relative times are updated while they are shown. */
export function When({ at, as = 'relative' }: WhenProps) {
  return (
    <time dateTime={at} title={exactTime(at)}>
      {as === 'date' ? (
        formatInstant(at)
      ) : as === 'clock' ? (
        formatClockTime(at)
      ) : (
        <Relative at={at} isUpcoming={as === 'upcoming'} />
      )}
    </time>
  );
}

function Relative({ at, isUpcoming }: Pick<WhenProps, 'at'> & { readonly isUpcoming: boolean }) {
  const now = useNow();
  const time = Date.parse(at);
  return (isUpcoming ? upcomingTime(time, now) : relativeTime(time, now)) ?? formatInstant(at);
}
