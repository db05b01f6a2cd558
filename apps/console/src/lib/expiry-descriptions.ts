const DAY = 24 * 60 * 60 * 1_000;
const DAYS = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/** Describes whether a certificate is valid now, as in `Expires in 12 days`. Times are milliseconds. */
export function describeExpiry(
  from: number,
  until: number,
  now: number,
): { readonly description: string; readonly isValid: boolean } {
  if (now < from) return { description: `Not valid yet, valid ${inDays(from - now)}`, isValid: false };
  if (now > until) return { description: `Expired ${inDays(until - now)}`, isValid: false };
  return { description: `Expires ${inDays(until - now)}`, isValid: true };
}

function inDays(distance: number): string {
  const days = Math.trunc(distance / DAY);
  if (days === 0) return distance < 0 ? 'within the last day' : 'within a day';
  return DAYS.format(days, 'day');
}
