/** Keeps messages readable however many names they list. */
const NAMES_MAX = 20;

/** Returns the names for a sentence: all of them, or the first ones and the number of the others. */
export function nameList(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_MAX).join(', ');
  return names.length > NAMES_MAX ? `${shown} and ${names.length - NAMES_MAX} more` : shown;
}
