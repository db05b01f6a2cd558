import { computeSkeleton, escapeInvisible, invisibleCharacter, isPlainName, nameProblem } from '@strata/domain';

/** The names of one scope in which names are unique. */
export interface NameScope {
  /** The names in the organization. */
  readonly existing: Iterable<string>;
  /** The names in the platform. */
  readonly imported: readonly string[];
}

/**
 * Returns a function that says why a new name cannot be created, and what to do; null if it can. A name that differs from an existing one
 * only in case is not created, because it is more likely a mistake than a second object.
 */
export function nameClashes({ existing, imported }: NameScope): (name: string) => string | null {
  const takenNames = [...existing];
  const importedNames = new Set(imported);
  const byLowerCase = new Map(
    takenNames.filter((name) => !importedNames.has(name)).map((name) => [name.toLowerCase(), name]),
  );
  const bySkeleton = Map.groupBy(takenNames, computeSkeleton);
  return (name) => {
    const problem = nameProblem(name.trim());
    if (problem) return `The name cannot be used. ${problem.message} Rename it in the source.`;
    const invisible = invisibleCharacter(name);
    if (invisible) return `The name contains the invisible character ${invisible}. Rename it in the source.`;
    const sameLetters = byLowerCase.get(name.toLowerCase());
    if (sameLetters !== undefined) {
      return `“${escapeInvisible(sameLetters)}” exists, which differs only in case. Rename one of them, then import again.`;
    }
    const skeleton = computeSkeleton(name);
    const lookAlikes = bySkeleton.get(skeleton) ?? [];
    const lookAlike = lookAlikes.find(
      (candidate) => candidate !== name && !(isPlainName(candidate) && isPlainName(name)),
    );
    if (lookAlike !== undefined) {
      return `It looks like “${escapeInvisible(lookAlike)}”. Rename one of them, then import again.`;
    }
    bySkeleton.set(skeleton, [...lookAlikes, name]);
    return null;
  };
}
