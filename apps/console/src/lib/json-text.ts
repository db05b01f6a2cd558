const STRING = String.raw`"[^"\\]*(?:\\.[^"\\]*)*"`;
const TOKEN = new RegExp(String.raw`${STRING}|[[\]{},:]|[^\s[\]{},:"]+`, 'g');
const STRING_OR_BLANK = new RegExp(String.raw`(${STRING})|\s+`, 'g');
const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']' };
const INDENT = '  ';

/** Returns whether a text begins like a JSON object or array, and not like a template. */
export const looksLikeJson = (text: string): boolean => /^\s*(?:\{(?![{%])|\[)/.test(text);

/** Returns whether a text is a JSON object or array. */
export function isJsonDocument(text: string): boolean {
  if (!looksLikeJson(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns whether two texts are JSON documents that differ at most in their formatting. Numbers are compared as they are written. */
export const isSameJson = (left: string, right: string): boolean =>
  isJsonDocument(left) && isJsonDocument(right) && withoutBlanks(left) === withoutBlanks(right);

const withoutBlanks = (text: string): string => text.replace(STRING_OR_BLANK, '$1');

/**
 * Returns a JSON document with a line for each member. It changes only the blanks: parsing and printing the document would round large
 * numbers, and drop members with the same name.
 */
export function formatJson(text: string): string {
  const tokens = text.match(TOKEN) ?? [];
  let depth = 0;
  const lineBreak = () => `\n${INDENT.repeat(depth)}`;
  const writtenTokens = tokens.map((token, at) => {
    const isEmpty = CLOSING[token] === tokens[at + 1];
    if (token in CLOSING && !isEmpty) {
      depth += 1;
      return token + lineBreak();
    }
    if (token === ',') return token + lineBreak();
    if (token === ':') return ': ';
    if ((token !== '}' && token !== ']') || CLOSING[tokens[at - 1] ?? ''] === token) return token;
    depth -= 1;
    return lineBreak() + token;
  });
  return writtenTokens.join('') + (text.endsWith('\n') ? '\n' : '');
}
