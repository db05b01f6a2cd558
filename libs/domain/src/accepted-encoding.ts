/** The supported encodings in order of preference. */
const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/**
 * Returns the preferred encoding that the client accepts, or null for an uncompressed response. Non-zero weights are
 * ignored.
 */
export function acceptedEncoding(
  header: string | undefined,
  encodings: readonly Encoding[] = ENCODINGS,
): Encoding | null {
  if (header === undefined) return null;
  const acceptedEncodings = new Set(
    header
      .toLowerCase()
      .split(',')
      .map((word) => word.split(';').map((part) => part.trim()))
      .filter(([, weight]) => weight === undefined || !/^q=0(\.0*)?$/.test(weight))
      .map(([name]) => name),
  );
  return ENCODINGS.find((encoding) => encodings.includes(encoding) && acceptedEncodings.has(encoding)) ?? null;
}
