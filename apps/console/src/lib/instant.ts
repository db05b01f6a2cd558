const FORMAT: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' };

/** An instant as people read it, in their own time zone. */
export const instantWords = (instant: string): string => new Date(instant).toLocaleString(undefined, FORMAT);
