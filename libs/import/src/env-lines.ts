import {
  detectSecretIndicator,
  isForbiddenKey,
  nameProblem,
  parseDotenv,
  type SecretIndicator,
  valueTextProblem,
} from '@strata/domain';
import { detectSignature } from './signatures.ts';

/** A parsed line of a file. */
export interface EnvLine {
  /** The line number, starting at 1. */
  readonly line: number;
  readonly name: string;
  /** The text; null for an explicit null. */
  readonly text: string | null;
  /** The reason why the line looks like a secret; null if it does not. */
  readonly looks: SecretIndicator | 'secret_store' | null;
  /** The number of the later line that replaces this one because it has the same name; null if there is none. */
  readonly replacedIn: number | null;
}

/** A line that is ignored, with the reason. */
export interface EnvProblem {
  readonly line: number;
  readonly message: string;
}

export interface EnvPreview {
  readonly lines: readonly EnvLine[];
  readonly problems: readonly EnvProblem[];
  /** The lines that contain nothing to import, with the reason. They are no mistake. */
  readonly skipped: readonly EnvProblem[];
  /** The lines to store, without replaced ones. */
  readonly importable: readonly EnvLine[];
}

/** The maximum number of parameters in one changeset. */
export const NAMES_MAX = 5_000;

/** Parses a pasted `.env` file. */
export function parseEnvPreview(source: string): EnvPreview {
  const signature = detectSignature(source);
  if (signature?.problem !== undefined) return previewOfLines({ assignments: [], problems: [asProblem(signature)] });
  return previewOfLines(parseDotenv(source, NAMES_MAX));
}

const asProblem = ({ line, problem }: { readonly line: number; readonly problem: string }): EnvProblem => ({
  line,
  message: problem,
});

/** The parsed lines of a file in any format. */
export interface ReadLines {
  readonly assignments: readonly Pick<EnvLine, 'line' | 'name' | 'text'>[];
  readonly problems: readonly EnvProblem[];
  readonly skipped?: readonly EnvProblem[];
}

/**
 * Validates lines. All lines of a secret store are secret. A store has no null and no order, so a name without a value or with several
 * values is a problem.
 */
export function previewOfLines({ assignments, problems, skipped = [] }: ReadLines, isSecretStore = false): EnvPreview {
  // The position of the last line of each name.
  const lastIndexes = new Map(assignments.map(({ name }, index) => [name, index]));
  const envProblems: EnvProblem[] = [...problems];
  const lines: EnvLine[] = [];
  for (const [index, { name, text, line }] of assignments.entries()) {
    const lastAt = lastIndexes.get(name) ?? index;
    const problem =
      nameProblem(name)?.message ??
      (isForbiddenKey(name) ? `Strata accepts no changes of a parameter with the name ${name}. Rename it.` : null) ??
      (text === null ? null : valueTextProblem(text)?.message) ??
      (isSecretStore ? storeProblem(name, text, lastAt !== index) : null);
    if (problem != null) {
      envProblems.push({ line, message: problem });
      continue;
    }
    const replacedIn = lastAt === index ? null : (assignments[lastAt]?.line ?? line);
    lines.push({ line, name, text, looks: isSecretStore ? 'secret_store' : detectLook(name, text), replacedIn });
  }
  if (lastIndexes.size > NAMES_MAX)
    envProblems.push({ line: 1, message: `Only the first ${NAMES_MAX} names are imported.` });
  const importable = lines.filter(({ replacedIn }) => replacedIn === null).slice(0, NAMES_MAX);
  return { lines, problems: envProblems.sort((a, b) => a.line - b.line), skipped, importable };
}

const detectLook = (name: string, text: string | null): SecretIndicator | null =>
  text === null ? null : detectSecretIndicator({ name, type: 'string', text, interpolated: false });

function storeProblem(name: string, text: string | null, isRepeated: boolean): string | null {
  if (text === null) return `The export has no value of ${name}. Export it with a credential that may read the value.`;
  if (isRepeated) return `The export has several values of ${name}. Export and import each one under another name.`;
  return null;
}

const REASONS: Readonly<Record<NonNullable<EnvLine['looks']>, string>> = {
  private_key: 'a private key',
  known_token: 'a token of a known service',
  password_in_url: 'a password in a URL',
  secret_name: 'named like a credential',
  high_entropy: 'long and random',
  secret_store: 'from a secret store',
};

export const secretReason = (indicator: NonNullable<EnvLine['looks']>): string => REASONS[indicator];
