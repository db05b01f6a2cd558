/** Masking shorter lines, such as a bracket, would make a log unreadable and hide nothing. */
const LINE_LENGTH_MIN = 4;

/** Returns the texts in which a secret can appear in a log: itself, each of its lines, and common encodings. */
export function listMasks(secret: string): readonly string[] {
  if (secret.trim() === '') return [];
  const lines = secret.split(/[\r\n]+/).map((line) => line.trim());
  const long = [...lines, ...listEncodings(secret)].filter((text) => text.length >= LINE_LENGTH_MIN);
  return [...new Set([secret, ...long])];
}

const listEncodings = (secret: string): readonly string[] => [
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret.toWellFormed()),
  Buffer.from(secret).toString('base64'),
];
