/**
 * Returns whether the text is an origin as browsers send it in `Origin`: lower case, no path, no default port. Any
 * other spelling would never match.
 */
export function isOrigin(text: string): boolean {
  return /^https?:[^*]+$/.test(text) && URL.parse(text)?.origin === text;
}
