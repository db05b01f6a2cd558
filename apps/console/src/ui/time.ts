const DAY: Intl.DateTimeFormatOptions = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' };
const CLOCK: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' };

const inWords = (instant: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(undefined, options).format(new Date(instant));

/** `14:05`, as the reader's language writes it. */
export const clockTime = (instant: string): string => inWords(instant, CLOCK);
/** `Sunday 22 November 2026`. */
export const dayOf = (instant: string): string => inWords(instant, DAY);
/** With seconds, for titles that show the exact time. */
export const exactTime = (instant: string): string => inWords(instant, { dateStyle: 'medium', timeStyle: 'medium' });
