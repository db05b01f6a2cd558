import type { DotenvEntry } from './dotenv.ts';

/** What an import does with one name (behaviour.md §10.1). */
export type ImportAction = 'created' | 'unchanged' | 'updated' | 'inherited' | 'overridden';

/** What a name is before the import, in the project and the environment that the import is for. */
export interface ImportTarget {
  /** The project's own parameter, one that it inherits, or none. */
  readonly parameter: 'own' | 'inherited' | 'none';
  /** The text set in this very environment on the project's own parameter; undefined when there is no such value. */
  readonly explicit: string | null | undefined;
  /** The text that applies without one; undefined when none does. */
  readonly effective: string | null | undefined;
  /** Whether a value that is set here is secret. */
  readonly secret: boolean;
  /** Whether the text to compare with is secret: an inherited one may be where the parameter is not, or the other way round. */
  readonly comparesSecret: boolean;
}

export interface ImportFlags {
  readonly inheritOnSame: boolean;
  readonly addParameters: boolean;
  readonly addOverrides: boolean;
  /** Whether secrets are set again even if they have the text already: then nothing tells that they have. */
  readonly secretsAnew?: boolean;
}

export interface ImportStep {
  readonly name: string;
  readonly text: string;
  readonly action: ImportAction;
  readonly secret: boolean;
  /** Whether the project gets a parameter of this name. */
  readonly addsParameter: boolean;
}

export interface ImportPlan {
  readonly steps: readonly ImportStep[];
  /** Names that the flags forbid to do what they would need. */
  readonly forbidden: readonly { readonly name: string; readonly flag: 'add_parameters' | 'add_overrides' }[];
}

const NOTHING: ImportTarget = {
  parameter: 'none',
  explicit: undefined,
  effective: undefined,
  secret: false,
  comparesSecret: false,
};

/** Decides for every entry; whoever previews and whoever imports ask this, so they cannot disagree. */
export function importPlan(
  entries: readonly DotenvEntry[],
  targetOf: (name: string) => ImportTarget | undefined,
  { secrets, ignore }: { readonly secrets: ReadonlySet<string>; readonly ignore: ReadonlySet<string> },
  flags: ImportFlags,
): ImportPlan {
  const steps: ImportStep[] = [];
  const forbidden: ImportPlan['forbidden'][number][] = [];
  for (const { name, text } of entries) {
    if (ignore.has(name)) continue;
    const target = targetOf(name) ?? NOTHING;
    const action = actionOf(target, text, flags);
    const writes = action === 'created' || action === 'overridden';
    const addsParameter = writes && target.parameter !== 'own';
    if (addsParameter && !flags.addParameters) forbidden.push({ name, flag: 'add_parameters' });
    else if (action === 'overridden' && !flags.addOverrides) forbidden.push({ name, flag: 'add_overrides' });
    const secret = target.parameter === 'none' ? secrets.has(name) : target.secret;
    steps.push({ name, text, action, secret, addsParameter });
  }
  return { steps, forbidden };
}

function actionOf(
  target: ImportTarget,
  text: string,
  { inheritOnSame, secretsAnew = false }: ImportFlags,
): ImportAction {
  if (target.parameter === 'none') return 'created';
  const isSame = (stored: string | null | undefined) => !(target.comparesSecret && secretsAnew) && stored === text;
  if (target.explicit !== undefined) return isSame(target.explicit) ? 'unchanged' : 'updated';
  return isSame(target.effective) && inheritOnSame ? 'inherited' : 'overridden';
}
