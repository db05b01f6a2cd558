import type { DotenvEntry } from './dotenv.ts';

/** The action of an import for one name (behaviour.md §10.1). */
export type ImportAction = 'created' | 'unchanged' | 'updated' | 'inherited' | 'overridden';

/** The state of a name before the import, in the project and environment of the import. */
export interface ImportTarget {
  /** Whether the project owns the parameter, inherits it or has none. */
  readonly parameter: 'own' | 'inherited' | 'none';
  /** The explicit text of the project's own parameter in this environment; undefined if there is none. */
  readonly explicit: string | null | undefined;
  /** The effective text without an explicit one; undefined if there is none. */
  readonly effective: string | null | undefined;
  /** Whether a value that is set here is secret. */
  readonly secret: boolean;
  /** Whether the text to compare with is secret. It can be inherited from a parameter whose secrecy differs. */
  readonly comparesSecret: boolean;
}

export interface ImportFlags {
  readonly inheritOnSame: boolean;
  readonly addParameters: boolean;
  readonly addOverrides: boolean;
  /**
   * Whether to write secrets even if their text is unchanged. Otherwise the result would reveal that the text is
   * unchanged.
   */
  readonly secretsAnew?: boolean;
}

export interface ImportStep {
  readonly name: string;
  readonly text: string;
  readonly action: ImportAction;
  readonly secret: boolean;
  /** Whether the import creates a parameter of this name in the project. */
  readonly addsParameter: boolean;
}

export interface ImportPlan {
  readonly steps: readonly ImportStep[];
  /** The names that the import cannot change because a flag is not set. */
  readonly forbidden: readonly { readonly name: string; readonly flag: 'add_parameters' | 'add_overrides' }[];
}

const NOTHING: ImportTarget = {
  parameter: 'none',
  explicit: undefined,
  effective: undefined,
  secret: false,
  comparesSecret: false,
};

/** Decides the action for every entry. The preview and the import both use it, so that they agree. */
export function importPlan(
  entries: readonly DotenvEntry[],
  targetOf: (name: string) => ImportTarget | undefined,
  { secrets, ignore }: { readonly secrets: ReadonlySet<string>; readonly ignore: ReadonlySet<string> },
  flags: ImportFlags,
): ImportPlan {
  const steps: ImportStep[] = [];
  const forbiddenTexts: ImportPlan['forbidden'][number][] = [];
  for (const { name, text } of entries) {
    if (ignore.has(name)) continue;
    const target = targetOf(name) ?? NOTHING;
    const action = chooseAction(target, text, flags);
    const writes = action === 'created' || action === 'overridden';
    const addsParameter = writes && target.parameter !== 'own';
    if (addsParameter && !flags.addParameters) forbiddenTexts.push({ name, flag: 'add_parameters' });
    else if (action === 'overridden' && !flags.addOverrides) forbiddenTexts.push({ name, flag: 'add_overrides' });
    const secret = target.parameter === 'none' ? secrets.has(name) : target.secret;
    steps.push({ name, text, action, secret, addsParameter });
  }
  return { steps, forbidden: forbiddenTexts };
}

function chooseAction(
  target: ImportTarget,
  text: string,
  { inheritOnSame, secretsAnew = false }: ImportFlags,
): ImportAction {
  if (target.parameter === 'none') return 'created';
  const isSame = (storedText: string | null | undefined) =>
    !(target.comparesSecret && secretsAnew) && storedText === text;
  if (target.explicit !== undefined) return isSame(target.explicit) ? 'unchanged' : 'updated';
  return isSame(target.effective) && inheritOnSame ? 'inherited' : 'overridden';
}
