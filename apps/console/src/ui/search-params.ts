// What stands in an address, as far as it can be taken: what cannot is left out, and the page shows what it shows without it.

/** A text; one that is a number was read as one. */
export const textIn = (given: unknown): string | undefined => {
  const text = typeof given === 'number' || typeof given === 'boolean' ? String(given) : given;
  return typeof text === 'string' && text !== '' ? text : undefined;
};

/** A day that there is. */
export const dayIn = (given: unknown): string | undefined =>
  /^\d{4}-\d{2}-\d{2}$/.test(String(given)) && !Number.isNaN(Date.parse(`${given}T00:00`)) ? String(given) : undefined;

/** A positive whole number. */
export const wholeIn = (given: unknown): number | undefined =>
  Number.isSafeInteger(Number(given)) && Number(given) > 0 ? Number(given) : undefined;

/** Within the console only: an address that somebody else wrote leads nowhere else. */
export const ownPathIn = (given: unknown): string | undefined =>
  typeof given === 'string' && /^\/(?![/\\])/.test(given) ? given : undefined;
