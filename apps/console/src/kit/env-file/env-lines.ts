import { nameProblem, parseDotenv, type SecretLook, secretLookOf, valueTextProblem } from '@strata/domain';

/** A parsed line of a file. */
export interface EnvLine {
  /** The line number, starting at 1. */
  readonly line: number;
  readonly name: string;
  /** The text; null for an explicit null. */
  readonly text: string | null;
  /** The reason why the line looks like a secret; null if it does not. */
  readonly looks: SecretLook | null;
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
  /** The lines to store, without replaced ones. */
  readonly kept: readonly EnvLine[];
}

/** The maximum number of parameters in one changeset. */
export const NAMES_MAX = 5_000;

/** Parses a pasted `.env` file. */
export const previewOf = (source: string): EnvPreview => previewOfLines(parseDotenv(source, NAMES_MAX));

/** The parsed lines of a file in any format. */
export interface ReadLines {
  readonly assignments: readonly Pick<EnvLine, 'line' | 'name' | 'text'>[];
  readonly problems: readonly EnvProblem[];
}

export function previewOfLines({ assignments, problems }: ReadLines): EnvPreview {
  // The position of the last line of each name.
  const last = new Map(assignments.map(({ name }, at) => [name, at]));
  const wrong: EnvProblem[] = [...problems];
  const lines: EnvLine[] = [];
  for (const [at, { name, text, line }] of assignments.entries()) {
    const problem = nameProblem(name) ?? (text === null ? null : valueTextProblem(text));
    if (problem) {
      wrong.push({ line, message: problem.message });
      continue;
    }
    const lastAt = last.get(name) ?? at;
    const looks = text === null ? null : secretLookOf({ name, type: 'string', text, interpolated: false });
    lines.push({ line, name, text, looks, replacedIn: lastAt === at ? null : (assignments[lastAt]?.line ?? line) });
  }
  if (last.size > NAMES_MAX) wrong.push({ line: 1, message: `Only the first ${NAMES_MAX} names are imported.` });
  const kept = lines.filter(({ replacedIn }) => replacedIn === null).slice(0, NAMES_MAX);
  return { lines, problems: wrong.sort((a, b) => a.line - b.line), kept };
}

const REASONS: Readonly<Record<SecretLook, string>> = {
  private_key: 'a private key',
  known_token: 'a token of a known service',
  password_in_url: 'a password in a URL',
  secret_name: 'named like a credential',
  high_entropy: 'long and random',
};

export const reasonOf = (looks: SecretLook): string => REASONS[looks];
