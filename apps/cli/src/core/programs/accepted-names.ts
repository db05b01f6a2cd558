import { invalidInputError } from '../errors.ts';
import type { ProjectFile } from '../project-file.ts';
import { canRunCode, isEveryName, matchesName } from './dangerous-names.ts';

/** The names that may become variables of a program. */
export interface AcceptedNames {
  /** Names, and patterns in which * stands for any characters. */
  readonly patterns: readonly string[];
  /** Whether all other names are rejected. Otherwise only those that can make a program run other code are. */
  readonly isComplete: boolean;
}

type NamesFile = Pick<ProjectFile, 'acceptNames' | 'acceptOnly'>;

/** Returns the names of `strata.json` and those of an option. Throws if one of these is a pattern for every name. */
export function readAcceptedNames(file: NamesFile | null, names: readonly string[] = []): AcceptedNames {
  const everyName = names.find(isEveryName);
  if (everyName !== undefined)
    throw invalidInputError(
      `"${everyName}" would permit every name.`,
      'Name the variables, or use a pattern such as JAVA_*.',
    );
  return { patterns: [...(file?.acceptNames ?? []), ...names], isComplete: file?.acceptOnly ?? false };
}

/** Returns the names that are not accepted. */
export const filterRejectedNames = (
  names: readonly string[],
  { patterns, isComplete }: AcceptedNames,
  isDangerous = canRunCode,
): readonly string[] =>
  names.filter((name) => (isComplete || isDangerous(name)) && !patterns.some((pattern) => matchesName(pattern, name)));

/** Returns the reason why these names cannot become variables of a program; null if they can. */
export function describeRejectedNames(names: readonly string[], acceptedNames: AcceptedNames): string | null {
  const rejectedNameList = filterRejectedNames(names, acceptedNames);
  if (rejectedNameList.length === 0) return null;
  const reason = acceptedNames.isComplete
    ? 'which strata.json does not accept ("acceptOnly")'
    : 'which can make programs run other code or read other settings';
  const options = rejectedNameList.map((name) => `--allow-name ${name}`).join(' ');
  return `The configuration sets ${rejectedNameList.join(', ')}, ${reason}. To accept a name, list it as "acceptNames": ${JSON.stringify(rejectedNameList)} in strata.json, or add ${options}.`;
}
