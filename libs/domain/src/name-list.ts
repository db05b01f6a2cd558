/** The maximum number of names in a message, so that the message stays readable. */
const NAMES_MAX = 20;

/** Returns the names for a sentence: all of them, or the first ones and the number of the remaining ones. */
export function nameList(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_MAX).join(', ');
  return names.length > NAMES_MAX ? `${shown} and ${names.length - NAMES_MAX} more` : shown;
}
