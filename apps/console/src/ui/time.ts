const DAY: Intl.DateTimeFormatOptions = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' };
const CLOCK: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' };

const inWords = (instant: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(undefined, options).format(new Date(instant));

/** Formats a time such as `14:05` in the language of the user. */
export const clockTime = (instant: string): string => inWords(instant, CLOCK);
/** Formats a date such as `Sunday 22 November 2026`. */
export const formatDay = (instant: string): string => inWords(instant, DAY);
/** Formats a time with seconds, for tooltips. */
export const exactTime = (instant: string): string => inWords(instant, { dateStyle: 'medium', timeStyle: 'medium' });
