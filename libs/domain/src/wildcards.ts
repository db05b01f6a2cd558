/**
 * Returns whether the whole text matches a pattern, in which `*` stands for any characters. Finds each text between two
 * `*` at its first position, so it never goes back, and the time is linear.
 */
export function matchesWildcards(pattern: string, text: string): boolean {
  const [first = '', ...middle] = pattern.split('*');
  const last = middle.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let position = first.length;
  for (const part of middle) {
    const index = text.indexOf(part, position);
    if (index < 0) return false;
    position = index + part.length;
  }
  return position <= text.length - last.length;
}
