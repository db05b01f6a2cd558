/** The text of bytes that come from outside, or why they are not text in UTF-8. */
export type DecodedText =
  | { readonly text: string; readonly problem?: undefined; readonly line?: undefined }
  /** `line` is the first line that is not UTF-8, counted from 1. The sentence does not quote the bytes. */
  | { readonly problem: string; readonly line: number; readonly text?: undefined };

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Decodes bytes of users: files, standard input, bodies of requests. Everything that turns such bytes into text calls this function, because
 * other decoders replace invalid bytes by U+FFFD. A byte order mark is removed.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  const encoding = markedEncoding(bytes);
  if (encoding !== null) return { line: 1, problem: converted(`The text is ${encoding}, not UTF-8.`) };
  const zero = bytes.indexOf(0);
  if (zero !== -1) {
    const isWide = looksLikeUtf16(bytes);
    return {
      line: lineAt(bytes, zero),
      problem: isWide ? converted('The text looks like UTF-16, not UTF-8.') : BINARY,
    };
  }
  try {
    return { text: utf8.decode(bytes) };
  } catch {
    return { line: firstInvalidLine(bytes), problem: isBinary(bytes) ? BINARY : SINGLE_BYTE };
  }
}

const converted = (sentence: string): string => `${sentence} Save it as UTF-8.`;
const SINGLE_BYTE = converted('The text is not UTF-8. It may be Windows-1252 (Latin-1).');
const BINARY = 'The bytes are not text in UTF-8. Write binary data as base64.';

/** Returns the encoding that the byte order mark says; null if it is UTF-8 or missing. */
function markedEncoding([first, secondByte, third, fourth]: Uint8Array): string | null {
  if (first === 0xfe && secondByte === 0xff) return 'UTF-16 (big-endian)';
  if (first !== 0xff || secondByte !== 0xfe) return null;
  return third === 0 && fourth === 0 ? 'UTF-32 (little-endian)' : 'UTF-16 (little-endian)';
}

/** How many bytes are enough to recognize the encoding. */
const SAMPLE_BYTES = 4_096;

/** Returns whether most characters are below U+0100 and have two bytes, as in UTF-16 without a byte order mark. */
function looksLikeUtf16(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const zeros = [0, 0];
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  return Math.max(even, odd) > sample.length / 4 && Math.min(even, odd) === 0;
}

/** Returns whether there are control characters that no text contains. */
const isBinary = (bytes: Uint8Array): boolean =>
  bytes.subarray(0, SAMPLE_BYTES).some((byte) => byte < 0x20 && !TEXT_CONTROLS.has(byte));

/** Tab, line feed, form feed, carriage return and escape. */
const TEXT_CONTROLS = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x1b]);

const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d];

function firstInvalidLine(bytes: Uint8Array): number {
  let [line, start] = [1, 0];
  for (let index = 0; index <= bytes.length; index += 1) {
    if (index < bytes.length && !endsLine(bytes, index)) continue;
    try {
      utf8.decode(bytes.subarray(start, index));
    } catch {
      return line;
    }
    [line, start] = [line + 1, index + 1];
  }
  return 1;
}

function lineAt(bytes: Uint8Array, end: number): number {
  let line = 1;
  for (let index = 0; index < end; index += 1) if (endsLine(bytes, index)) line += 1;
  return line;
}

/** The second byte of CR LF ends the line. No character of several bytes contains one of them. */
const endsLine = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === LINE_FEED || (bytes[at] === CARRIAGE_RETURN && bytes[at + 1] !== LINE_FEED);
