/**
 * Returns whether the whole text matches a pattern, in which `*` stands for any characters. Finds each text between two
 * `*` at its first position, so it never goes back, and the time is linear.
 */
export function matchesWildcards(pattern: string, text: string): boolean {
  const [first = '', ...middle] = pattern.split('*');
  const lastPart = middle.pop();
  if (lastPart === undefined) return text === first;
  if (!text.startsWith(first) || !text.endsWith(lastPart)) return false;
  let position = first.length;
  for (const part of middle) {
    const index = text.indexOf(part, position);
    if (index < 0) return false;
    position = index + part.length;
  }
  return position <= text.length - lastPart.length;
}
