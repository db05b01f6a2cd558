import type { MendOperation } from '@strata/contract';
import { PARAMETERS, VALUES } from '@strata/contract';
import type { SecretIndicator } from '@strata/domain';

/** The operations that fix a finding, or the reason why it has no fix. */
export type LintFix =
  | { readonly operations: readonly MendOperation[]; readonly whyNot: null }
  | { readonly operations: readonly []; readonly whyNot: string };

export const createUnfixable = (whyNot: string): LintFix => ({ operations: [], whyNot });
const fixWith = (operation: string, path: Record<string, string>): LintFix => ({
  operations: [{ operation, path }],
  whyNot: null,
});

export const removingValue = (projectId: string, parameterId: string, id: string): LintFix =>
  fixWith(`${VALUES.prefix}_destroy`, { project_pk: projectId, parameter_pk: parameterId, id });

export const removingParameter = (projectId: string, id: string): LintFix =>
  fixWith(`${PARAMETERS.prefix}_destroy`, { project_pk: projectId, id });

export const CHOOSE_A_TEXT = createUnfixable('Set a value, or an explicit null if the parameter has no value there.');
export const CANNOT_BECOME_SECRET = createUnfixable(
  'A parameter cannot become secret later. Create a secret parameter with another name, set the values there, and delete this one. Its texts stay in the history, so replace the credentials themselves.',
);
export const MAY_BE_IN_USE = createUnfixable(
  'A program that reads all parameters of the project may need it. Delete it if none does.',
);
export const ROTATED_AUTOMATICALLY = createUnfixable('Strata replaces it by a generated text.');
export const WRITE_ANOTHER_TEXT = createUnfixable('Set a new value.');

/** The maximum number of names in a sentence. */
const NAMED_MAX = 5;

/** Returns `a, b and 3 more`. */
export function listNames(names: readonly string[], moreCount = 0, ofMore = 'more'): string {
  const shownNames = names.slice(0, NAMED_MAX);
  const rest = names.length - shownNames.length;
  const parts = [
    ...shownNames,
    ...(rest > 0 ? [`${rest} more`] : []),
    ...(moreCount > 0 ? [`${moreCount} ${ofMore}`] : []),
  ];
  const lastPart = parts.pop() ?? '';
  return parts.length === 0 ? lastPart : `${parts.join(', ')} and ${lastPart}`;
}

const LOOK_DESCRIPTIONS: Readonly<Record<SecretIndicator, string>> = {
  private_key: 'holds a private key',
  known_token: 'holds a credential that its issuer marks as one',
  password_in_url: 'is a URL with a password in it',
  secret_name: 'is called like a secret',
  high_entropy: 'looks as if it were random',
};

/** Describes the finding without quoting the value. */
export function describeSecretIndicator(
  name: string,
  indicator: SecretIndicator,
  environments: readonly string[],
): string {
  return `${name} is not secret, and ${LOOK_DESCRIPTIONS[indicator]} in ${listNames(environments)}.`;
}
