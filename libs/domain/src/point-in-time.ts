import type { Revision } from './ids.ts';

/**
 * RFC 3339 in UTC with exactly six fraction digits: `2024-05-01T10:00:05.500000Z`. The format is fixed, so the text
 * order equals the order of the instants.
 */
export type Instant = string;

/** The point in time of a read (behaviour.md §1.9). */
export type RequestedPointInTime =
  | { readonly kind: 'now' }
  | { readonly kind: 'revision'; readonly revision: Revision }
  | { readonly kind: 'instant'; readonly at: Instant }
  | { readonly kind: 'tag'; readonly name: string };

export const NOW: RequestedPointInTime = { kind: 'now' };

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const DATE_AND_TIME = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d\d):(\d\d))?$/;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * Parses an instant that a client sent; returns null for invalid texts (behaviour.md §1.5). Accepts `Z`, a numeric
 * offset or no zone (UTC), up to nine fraction digits, and a bare date (midnight in UTC). Digits beyond the sixth are
 * cut off, not rounded: a read as of just before a write must not include the write. A leap second is the first second
 * of the next day, as in POSIX. Only the years 1 to 9999 are valid.
 */
export function parseInstant(text: string): Instant | null {
  const date = DATE.exec(text);
  if (date !== null) {
    const midnight = startOfDay(Number(date[1]), Number(date[2]), Number(date[3]));
    return midnight === null ? null : format(midnight, '');
  }
  const match = DATE_AND_TIME.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour, minute, secondText, fraction = '', sign, offsetHour = '0', offsetMinute = '0'] =
    match;
  const midnight = startOfDay(Number(year), Number(month), Number(day));
  const time = timeOfDay(Number(hour), Number(minute), Number(secondText));
  const offset = offsetMilliseconds(sign, Number(offsetHour), Number(offsetMinute));
  if (midnight === null || time === null || offset === null) return null;
  const instant = midnight + time - offset;
  if (Number(secondText) === 60 && !isMonthStart(instant)) return null;
  return format(instant, fraction);
}

/** Returns the start of the day in milliseconds, or null if the calendar has no such day. */
function startOfDay(year: number, month: number, day: number): number | null {
  // Date.UTC alone would interpret the year 99 as 1999.
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const exists = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? date.getTime() : null;
}

/** Returns milliseconds since midnight. Second 60 is accepted here; the caller checks it once the offset is known. */
function timeOfDay(hour: number, minute: number, secondOfMinute: number): number | null {
  if (hour > 23 || minute > 59 || secondOfMinute > 60) return null;
  return (hour * 60 + minute) * MINUTE_MS + secondOfMinute * 1000;
}

function offsetMilliseconds(sign: string | undefined, hour: number, minute: number): number | null {
  if (hour > 23 || minute > 59) return null;
  return (sign === '-' ? -1 : 1) * (hour * 60 + minute) * MINUTE_MS;
}

/** Leap seconds are inserted at the end of a month in UTC, so the instant after one starts a month. */
function isMonthStart(instant: number): boolean {
  return instant % DAY_MS === 0 && new Date(instant).getUTCDate() === 1;
}

function format(instant: number, fraction: string): Instant | null {
  const date = new Date(instant);
  if (date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999) return null;
  return `${date.toISOString().slice(0, 19)}.${fraction.slice(0, 6).padEnd(6, '0')}Z`;
}
