/** A duration of calendar months plus seconds. */
export interface Duration {
  readonly months: number;
  readonly seconds: number;
}

const DURATION =
  /^P(?=.)(?:(\d{1,4})Y)?(?:(\d{1,4})M)?(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?=.)(?:(\d{1,5})H)?(?:(\d{1,6})M)?(?:(\d{1,9})S)?)?$/;
const HOUR = 3_600;
const DAY = 24 * HOUR;

/**
 * Parses an ISO 8601 duration in whole numbers, such as `P30D` or `P1Y2M10DT2H30M`; returns null for any other text.
 */
export function parseDuration(text: string): Duration | null {
  const match = DURATION.exec(text);
  if (!match) return null;
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1)
    .map((part) => (part === undefined ? 0 : Number(part)));
  return { months: years * 12 + months, seconds: (weeks * 7 + days) * DAY + hours * HOUR + minutes * 60 + seconds };
}

/** A value with a shorter lifetime would expire before a person could replace it. */
const SECONDS_MIN = HOUR;
const YEARS_MAX = 100;

/** Returns what is wrong with the lifetime of a value, or null. */
export function expirationProblem(text: string): string | null {
  const duration = parseDuration(text);
  if (duration === null) return 'Enter a duration such as P30D, P6M or PT12H.';
  const { months, seconds } = duration;
  if (months === 0 && seconds < SECONDS_MIN) return 'Values last at least an hour (PT1H).';
  const years = months / 12 + seconds / (365 * DAY);
  return years > YEARS_MAX ? `Values last at most ${YEARS_MAX} years.` : null;
}

/**
 * Returns the instant that is a duration after another one, in wire form with microseconds. Months follow the calendar:
 * one month after 31 January is the last day of February, as in PostgreSQL.
 */
export function instantAfter(instant: string, { months, seconds }: Duration): string {
  const date = new Date(instant);
  const micros = /\.(\d{6})/.exec(instant)?.[1] ?? '000000';
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  const laterDate = new Date(date.getTime() + seconds * 1_000);
  return laterDate.toISOString().replace(/\.\d{3}Z$/, `.${micros}Z`);
}

/**
 * Returns when an object that was last changed at `changed` expires; null if it never does. `expires` is a duration as
 * in parameters.
 */
export function expiryTime(expires: string | null, changedAt: string): string | null {
  const duration = expires === null ? null : parseDuration(expires);
  return duration && instantAfter(changedAt, duration);
}
