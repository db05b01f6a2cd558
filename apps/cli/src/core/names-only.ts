/** Members of responses that identify objects by ids and links, which the command line never shows. */
const IDENTIFIES = /^(id|url|parameter)$|_(id|url)$/;

/** Returns a response without ids and links. */
export function maskTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskTexts);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(
    ([name, member]) => !(IDENTIFIES.test(name) && (member === null || typeof member === 'string')),
  );
  return Object.fromEntries(entries.map(([name, member]) => [name, maskTexts(member)]));
}
