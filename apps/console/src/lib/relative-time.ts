const SECOND = 1_000;
const UNITS = [
  ['minute', 60 * SECOND],
  ['hour', 60 * 60 * SECOND],
  ['day', 24 * 60 * 60 * SECOND],
] as const;
/** The clock of the server may be ahead by this time. */
const CLOCK_DIFFERENCE = 5 * SECOND;
/** The number of days up to which a time is relative. */
const DAYS_MAX = 30;

// The console is in English, whatever the language of the browser is.
const FORMAT = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** Describes a time relative to now, as in `5 minutes ago`; null if it is too far away for that. Times are milliseconds. */
export function relativeTime(at: number, now: number): string | null {
  const distance = Math.abs(at - now);
  const [unit, length] = UNITS.findLast(([, min]) => distance >= min) ?? ['now', 0];
  if (unit === 'now') return at - now > CLOCK_DIFFERENCE ? 'within a minute' : 'just now';
  const count = Math.floor(distance / length);
  if (unit === 'day' && count > DAYS_MAX) return null;
  return FORMAT.format(at < now ? -count : count, unit);
}

/** Describes the time of an event that has not happened yet, as in `in 5 minutes`, or `now` if it is due. */
export const upcomingTime = (at: number, now: number): string | null => (at <= now ? 'now' : relativeTime(at, now));
