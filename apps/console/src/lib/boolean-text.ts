/** The words of YAML 1.1 for true and false. */
const PAIRS = [
  ['true', 'false'],
  ['yes', 'no'],
  ['on', 'off'],
  ['y', 'n'],
  ['t', 'f'],
] as const;

/** Returns whether a text means true. */
export const isTrue = (text: string): boolean => PAIRS.some(([on]) => on === text.toLowerCase());

/** Returns the opposite of a boolean text in the same style, such as `No` for `Yes`. Other texts become `true`. */
export function toggleBooleanText(text: string): string {
  const lower = text.toLowerCase();
  const pair = PAIRS.find(([on, offText]) => on === lower || offText === lower);
  if (!pair) return 'true';
  const opposite = pair[0] === lower ? pair[1] : pair[0];
  if (text === lower) return opposite;
  return text === text.toUpperCase() && text.length > 1
    ? opposite.toUpperCase()
    : opposite.charAt(0).toUpperCase() + opposite.slice(1);
}
