/** A message stays readable, whatever it has to name. */
const NAMES_MAX = 20;

/** Names for a sentence: all of them, or the first ones and how many more there are. */
export function nameList(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_MAX).join(', ');
  return names.length > NAMES_MAX ? `${shown} and ${names.length - NAMES_MAX} more` : shown;
}
