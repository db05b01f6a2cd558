/**
 * Matches the format of a token. It is strict, because the token becomes part of a header: no line breaks and no
 * blanks.
 */
const BOT_TOKEN = /^xox[a-z]-[A-Za-z0-9-]{10,250}$/;
const HIDDEN = '*****';

/** Returns whether a text has the format of a token of the chat service. The token may still be invalid there. */
export function isBotToken(text: string): boolean {
  return BOT_TOKEN.test(text);
}

/** Returns the token as responses and logs may show it: its last four characters, or none if it is malformed. */
export function maskToken(token: string): string {
  return isBotToken(token) ? HIDDEN + token.slice(-4) : HIDDEN;
}

/** Returns whether a text is a result of `maskToken`. No valid token has that format. */
export function isMasked(text: string): boolean {
  return text.startsWith(HIDDEN);
}
