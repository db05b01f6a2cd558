/**
 * Returns the text whose SHA-256 is the digest of effective values: the pairs of names and texts as JSON, in the order of the entries.
 */
export const digestedText = (entries: readonly (readonly [name: string, text: string | null])[]): string =>
  `[${entries.map(([name, text]) => `[${JSON.stringify(name)},${JSON.stringify(text)}]`).join()}]`;
