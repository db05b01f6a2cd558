interface RuleWords {
  readonly title: string;
  /** An explanation of the findings and their fix. */
  readonly about: string;
}

/** The rules of lint in the order of the page, the most severe first. */
export const RULES = {
  clear_secret: {
    title: 'Secrets in plain text',
    about:
      'Values that look like passwords, tokens or keys in parameters that are not secret. Everyone with read access can see them.',
  },
  missing_value: {
    title: 'Missing values',
    about: 'Parameters without a value in a leaf environment. Programs that read them there get nothing.',
  },
  expired_value: {
    title: 'Expired values',
    about: 'Values that are older than their parameter allows.',
  },
  redundant_override: {
    title: 'Redundant values',
    about:
      'Values that equal the value they would inherit. They hide later changes of the inherited value. Deleting them changes no effective values.',
  },
  unreferenced_parameter: {
    title: 'Unused parameters',
    about:
      'Parameters that never had a value, or that exports skip and no value references. Programs may still read them through the API, so check before you delete one.',
  },
} as const satisfies Readonly<Record<string, RuleWords>>;

export type LintRule = keyof typeof RULES;
export const LINT_RULES = Object.keys(RULES) as readonly LintRule[];

export const parseLintRule = (input: unknown): LintRule | undefined => LINT_RULES.find((rule) => rule === input);
