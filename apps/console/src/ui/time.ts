const DAY: Intl.DateTimeFormatOptions = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' };
const CLOCK: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' };

const formatTime = (instant: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(undefined, options).format(new Date(instant));

/** Formats a time such as `14:05` in the language of the user. */
export const formatClockTime = (instant: string): string => formatTime(instant, CLOCK);
/** Formats a date such as `Sunday 22 November 2026`. */
export const formatDay = (instant: string): string => formatTime(instant, DAY);
/** Formats a time with seconds, for tooltips. */
export const exactTime = (instant: string): string => formatTime(instant, { dateStyle: 'medium', timeStyle: 'medium' });
