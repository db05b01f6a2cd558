/** Strict, because the token becomes a header line: no line break, no blank, nothing that could end the header. */
const BOT_TOKEN = /^xox[a-z]-[A-Za-z0-9-]{10,250}$/;
const HIDDEN = '*****';

/** Whether a text has the form of a token of the chat service. Says nothing about whether it is valid there. */
export function isBotToken(text: string): boolean {
  return BOT_TOKEN.test(text);
}

/** The token as answers and logs may show it: its last four characters, or nothing of it when it is malformed. */
export function maskToken(token: string): string {
  return isBotToken(token) ? HIDDEN + token.slice(-4) : HIDDEN;
}

/** Whether a text is what `maskToken` answers, from this token or an earlier one: no token looks like that. */
export function isMasked(text: string): boolean {
  return text.startsWith(HIDDEN);
}
