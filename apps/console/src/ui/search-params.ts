// These functions parse search parameters. They return undefined for invalid values, so that these are ignored.

/** Returns a text. The router parses numeric texts as numbers, which are converted back. */
export const textIn = (given: unknown): string | undefined => {
  const text = typeof given === 'number' || typeof given === 'boolean' ? String(given) : given;
  return typeof text === 'string' && text !== '' ? text : undefined;
};

/** Returns a list of texts, which is a JSON array or separated by commas. */
export function textsIn(given: unknown): readonly string[] | undefined {
  const parts = Array.isArray(given) ? given : (textIn(given)?.split(',') ?? []);
  const texts = parts.map(textIn).filter((one) => one !== undefined);
  return texts.length > 0 ? texts : undefined;
}

/** Returns a valid date. */
export const dayIn = (given: unknown): string | undefined =>
  /^\d{4}-\d{2}-\d{2}$/.test(String(given)) && !Number.isNaN(Date.parse(`${given}T00:00`)) ? String(given) : undefined;

/** Returns a positive integer. */
export const positiveIntegerIn = (given: unknown): number | undefined =>
  Number.isSafeInteger(Number(given)) && Number(given) > 0 ? Number(given) : undefined;

/** Returns a path of the console. Other URLs are ignored, so that a crafted link cannot redirect to another site. */
export const ownPathIn = (given: unknown): string | undefined =>
  typeof given === 'string' && /^\/(?![/\\])/.test(given) ? given : undefined;
