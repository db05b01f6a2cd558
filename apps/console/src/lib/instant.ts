const FORMAT: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' };

/** Formats a time in the time zone of the user. */
export const formatInstant = (instant: string): string => new Date(instant).toLocaleString(undefined, FORMAT);
