/** Characters that stand for themselves in a pattern. */
const LITERAL = String.raw`[\w \-:/@,;=#%&~!'"<>]|\\[^A-Za-z0-9\s]`;
const ALTERNATIVE = new RegExp(`^\\^?((?:${LITERAL})+)\\$?$`);

/**
 * Returns the texts that a pattern lists, such as `debug` and `info` for `^(debug|info)$`, so that editors can offer them. Returns null if
 * the pattern is not a plain list.
 */
export function parseListedValues(pattern: string): readonly string[] | null {
  const [, inner = pattern] = /^\^?\((?:\?:)?([^()]*)\)\$?$/.exec(pattern) ?? [];
  const texts = inner.split('|').map((part) => ALTERNATIVE.exec(part)?.[1]?.replace(/\\(.)/g, '$1'));
  return texts.length > 1 && texts.every((text) => text !== undefined) ? [...new Set(texts)] : null;
}
