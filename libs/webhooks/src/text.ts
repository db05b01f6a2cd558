/**
 * Makes texts of people and programs safe for chat messages. The chat service reads `<…>` as links and mentions, so
 * `&`, `<` and `>` must be escaped.
 */

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
/** Matches control characters, lone surrogates, line separators, zero-width marks and direction marks. */
const INVISIBLE = /[\p{Cc}\p{Cs}\u2028\u2029\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/gu;
const URL_LENGTH_MAX = 500;

/**
 * Escapes a name for chat: removes invisible characters and back-ticks, escapes markup, and cuts it to at most `max`
 * UTF-16 units after escaping, between code points and never inside an entity.
 */
export function plain(text: string, max: number): string {
  return limited(text, max, ENTITIES);
}

/** Cleans and cuts a name in the same way for a message whose format has no markup, or escapes it later. */
export function cleanAndTruncate(text: string, max: number): string {
  return limited(text, max, {});
}

function limited(text: string, max: number, entities: Readonly<Record<string, string>>): string {
  const cleanText = text.replace(INVISIBLE, ' ').replaceAll('`', '').trim();
  if (cleanText === '') return '(no name)';
  const pieces: string[] = [];
  let length = 0;
  let fittingLength = 0;
  for (const character of cleanText) {
    const piece = entities[character] ?? character;
    length += piece.length;
    if (length > max) return `${pieces.slice(0, fittingLength).join('')}…`;
    pieces.push(piece);
    if (length < max) fittingLength = pieces.length;
  }
  return pieces.join('');
}

/** Formats a text as bold. A text that contains the bold mark stays unchanged, because the mark cannot be escaped. */
export function bold(text: string): string {
  return text.includes('*') ? text : `*${text}*`;
}

/** Formats a time such as `2026-11-20 22:40:07 UTC`, for clients that cannot show the reader's time zone. */
export function formatUtcTime(at: string): string {
  const time = Date.parse(at);
  return Number.isNaN(time) ? plain(at, 40) : `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** Formats a time so that each reader's client shows it in the local time zone. */
export function dateToken(at: string): string {
  const time = Date.parse(at);
  if (Number.isNaN(time)) return formatUtcTime(at);
  return `<!date^${Math.floor(time / 1_000)}^{date_short_pretty} {time_secs}|${formatUtcTime(at)}>`;
}

/** Returns a link, or null if the address is not a plain web address. */
export function formatLink(address: string, label: string): string | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  // The chat service ends the address at the first | or >, so both must be escaped.
  const href = url.href
    .replaceAll('|', '%7C')
    .replaceAll('<', '%3C')
    .replaceAll('>', '%3E')
    .replaceAll('`', '%60')
    .replaceAll('&', '&amp;');
  return href.length > URL_LENGTH_MAX ? null : `<${href}|${plain(label, 80)}>`;
}
