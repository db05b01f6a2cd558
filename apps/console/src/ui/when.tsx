import { instantWords } from '../lib/instant.ts';
import { relativeTime } from '../lib/relative-time.ts';
import { clockTime, exactTime } from './time.ts';
import { useNow } from './use-now.ts';

interface WhenProps {
  readonly at: string;
  /** `relative`: as in `5 minutes ago`. `date`: date and time, also for a time close to now. `clock`: only the time of day. */
  readonly as?: 'relative' | 'date' | 'clock';
}

/** Shows a time, with the exact time in the tooltip. Relative times are updated while they are shown. */
export function When({ at, as = 'relative' }: WhenProps) {
  return (
    <time dateTime={at} title={exactTime(at)}>
      {as === 'relative' ? <Relative at={at} /> : as === 'clock' ? clockTime(at) : instantWords(at)}
    </time>
  );
}

function Relative({ at }: Pick<WhenProps, 'at'>) {
  return relativeTime(Date.parse(at), useNow()) ?? instantWords(at);
}
