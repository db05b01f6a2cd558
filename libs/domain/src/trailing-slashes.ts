/**
 * Returns the text without the slashes at its end. It takes linear time. A regular expression such as `/\/+$/` takes
 * quadratic time, so a client could block the process with a text of slashes.
 */
export function withoutTrailingSlashes(text: string): string {
  let { length } = text;
  while (text[length - 1] === '/') length -= 1;
  return text.slice(0, length);
}
