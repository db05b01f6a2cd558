interface RuleWords {
  readonly title: string;
  /** What is found, and how it is mended. */
  readonly about: string;
}

/** What is looked for, in the order in which it is shown: what may hurt first. */
export const RULES = {
  clear_secret: {
    title: 'Secrets in clear',
    about:
      'Texts that look like passwords, tokens or keys, in parameters that are not secret: everybody who may read sees them.',
  },
  missing_value: {
    title: 'Missing values',
    about:
      'Parameters to which nothing applies in an environment that nothing is below. Programs that ask there get nothing.',
  },
  expired_value: {
    title: 'Expired values',
    about: 'Values whose last change is longer ago than their parameter allows.',
  },
  redundant_override: {
    title: 'Redundant values',
    about:
      'Values that say what would apply without them. Whoever changes the value above would wonder why nothing follows here. Deleting them changes nothing that programs read.',
  },
  unreferenced_parameter: {
    title: 'Parameters that nothing seems to need',
    about:
      'They never had a value, or exports leave them out and no text says their name. Programs read everything that a project shows, so look before you delete one.',
  },
} as const satisfies Readonly<Record<string, RuleWords>>;

export type LintRule = keyof typeof RULES;
export const LINT_RULES = Object.keys(RULES) as readonly LintRule[];

export const ruleIn = (given: unknown): LintRule | undefined => LINT_RULES.find((rule) => rule === given);
