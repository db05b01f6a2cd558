/** Best first. */
const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** The best of these encodings that a client accepts; null for the plain form. Weights other than zero are not compared. */
export function acceptedEncoding(
  header: string | undefined,
  encodings: readonly Encoding[] = ENCODINGS,
): Encoding | null {
  const accepted = new Set(
    (header ?? '')
      .toLowerCase()
      .split(',')
      .map((word) => word.split(';').map((part) => part.trim()))
      .filter(([, weight]) => weight === undefined || !/^q=0(\.0*)?$/.test(weight))
      .map(([name]) => name),
  );
  return ENCODINGS.find((encoding) => encodings.includes(encoding) && accepted.has(encoding)) ?? null;
}

/** A strong tag of one form of a text, made of that of the plain one: another form is another sequence of bytes. */
export function tagOfForm(etag: string, encoding: Encoding): string {
  return `${etag.slice(0, -1)};${encoding}"`;
}

/** The tag of the plain form. */
export function tagOfText(etag: string): string {
  return etag.replace(/;(?:br|gzip)"$/, '"');
}
