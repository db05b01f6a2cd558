import { type AcceptedNames, describeRejectedNames } from './accepted-names.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** Returns the reason why these values cannot be the environment of a program; null if they can. */
export function describeInvalidEnvironment(
  values: Readonly<Record<string, string | null>>,
  acceptedNames: AcceptedNames,
): string | null {
  const rejectionText = describeRejectedNames(Object.keys(values), acceptedNames);
  if (rejectionText !== null) return rejectionText;
  const malformedEntry = Object.entries(values).find(([name, text]) => /[=\0]/.test(name) || text?.includes('\0'));
  return malformedEntry
    ? `"${malformedEntry[0]}" cannot be an environment variable: it contains "=" or a null character.`
    : null;
}

/** The variables with a credential, or with the name of a file that contains one. The first one that is set is used. */
export const CREDENTIAL_VARIABLES = [
  'STRATA_API_KEY',
  'STRATA_API_KEY_FILE',
  'STRATA_ID_TOKEN',
  'STRATA_ID_TOKEN_FILE',
] as const;

const isCredential = (name: string): boolean => (CREDENTIAL_VARIABLES as readonly string[]).includes(name);

/**
 * Returns the environment of a program: that of this process, without credentials of Strata, and the values. An
 * explicit null removes the variable.
 */
export function childEnvironment(base: Variables, values: Readonly<Record<string, string | null>>): Variables {
  const inheritedVariables = Object.fromEntries(Object.entries(base).filter(([name]) => !isCredential(name)));
  const texts = Object.entries(values).map(([name, text]) => [name, text ?? undefined]);
  return { ...inheritedVariables, ...Object.fromEntries(texts) };
}
