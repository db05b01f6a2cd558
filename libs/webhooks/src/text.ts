/**
 * Everything that came from a person or a program and goes into a chat message passes through here.
 * The chat service reads `<…>` as links and mentions, so escaping `&`, `<` and `>` is what makes names harmless.
 */

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
/** Control characters, halves of characters, line separators, zero-width marks, changes of the writing direction. */
const INVISIBLE = /[\p{Cc}\p{Cs}\u2028\u2029\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/gu;
const URL_LENGTH_MAX = 500;

/**
 * A name made harmless for chat: invisible characters and back-ticks gone, markup escaped, at most `max` UTF-16 units
 * after escaping, cut between code points and never inside an entity.
 */
export function plain(text: string, max: number): string {
  const cleaned = text.replace(INVISIBLE, ' ').replaceAll('`', '').trim();
  if (cleaned === '') return '(no name)';
  const pieces: string[] = [];
  let length = 0;
  let fitting = 0;
  for (const character of cleaned) {
    const piece = ENTITIES[character] ?? character;
    length += piece.length;
    if (length > max) return `${pieces.slice(0, fitting).join('')}…`;
    pieces.push(piece);
    if (length < max) fitting = pieces.length;
  }
  return pieces.join('');
}

/** Bold; a text that holds the mark of bold itself stays as it is, because the mark cannot be escaped. */
export function bold(text: string): string {
  return text.includes('*') ? text : `*${text}*`;
}

/** `2026-11-20 22:40:07 UTC`, the form for readers whose client cannot show their own time. */
export function utcTime(at: string): string {
  const time = Date.parse(at);
  return Number.isNaN(time) ? plain(at, 40) : `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** A time that each reader's client shows in the reader's own zone. */
export function dateToken(at: string): string {
  const time = Date.parse(at);
  if (Number.isNaN(time)) return utcTime(at);
  return `<!date^${Math.floor(time / 1_000)}^{date_short_pretty} {time_secs}|${utcTime(at)}>`;
}

/** A link, or null when the address is not a plain web address. */
export function link(address: string, label: string): string | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  // The address ends at the first | or >, so neither may survive in it.
  const href = url.href
    .replaceAll('|', '%7C')
    .replaceAll('<', '%3C')
    .replaceAll('>', '%3E')
    .replaceAll('`', '%60')
    .replaceAll('&', '&amp;');
  return href.length > URL_LENGTH_MAX ? null : `<${href}|${plain(label, 80)}>`;
}
