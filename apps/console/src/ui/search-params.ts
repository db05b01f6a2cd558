// These functions parse search parameters. They return undefined for invalid values, so that these are ignored.

/** Returns a text. The router parses numeric texts as numbers, which are converted back. */
export const parseText = (input: unknown): string | undefined => {
  const text = typeof input === 'number' || typeof input === 'boolean' ? String(input) : input;
  return typeof text === 'string' && text !== '' ? text : undefined;
};

/** Returns a list of texts, which is a JSON array or separated by commas. */
export function parseTexts(input: unknown): readonly string[] | undefined {
  const parts = Array.isArray(input) ? input : (parseText(input)?.split(',') ?? []);
  const texts = parts.map(parseText).filter((text) => text !== undefined);
  return texts.length > 0 ? texts : undefined;
}

/** Returns a valid date. */
export const parseDay = (input: unknown): string | undefined =>
  /^\d{4}-\d{2}-\d{2}$/.test(String(input)) && !Number.isNaN(Date.parse(`${input}T00:00`)) ? String(input) : undefined;

/** Returns a positive integer. */
export const parsePositiveInteger = (input: unknown): number | undefined =>
  Number.isSafeInteger(Number(input)) && Number(input) > 0 ? Number(input) : undefined;

/** Returns a path of the console. Other URLs are ignored, so that a crafted link cannot redirect to another site. */
export const parseConsolePath = (input: unknown): string | undefined =>
  typeof input === 'string' && /^\/(?![/\\])/.test(input) ? input : undefined;
