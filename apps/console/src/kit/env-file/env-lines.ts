import { nameProblem, parseDotenv, type SecretLook, secretLookOf, valueTextProblem } from '@strata/domain';

/** A line of a pasted file, and what would become of it. */
export interface EnvLine {
  /** From 1. */
  readonly line: number;
  readonly name: string;
  /** Null: an explicit null. */
  readonly text: string | null;
  /** Why it looks like a secret; null when it does not. */
  readonly looks: SecretLook | null;
  /** The line that says something else of this name, later: that one counts. */
  readonly replacedIn: number | null;
}

/** A line that is left out, and why. */
export interface EnvProblem {
  readonly line: number;
  readonly message: string;
}

export interface EnvPreview {
  readonly lines: readonly EnvLine[];
  readonly problems: readonly EnvProblem[];
  /** What would be stored: each name once. */
  readonly kept: readonly EnvLine[];
}

/** As many parameters as one changeset makes. */
export const NAMES_MAX = 5_000;

/** What a pasted `.env` file says, line by line. */
export const previewOf = (source: string): EnvPreview => previewOfLines(parseDotenv(source, NAMES_MAX));

/** What was read of a file, whatever its format. */
export interface ReadLines {
  readonly assignments: readonly Pick<EnvLine, 'line' | 'name' | 'text'>[];
  readonly problems: readonly EnvProblem[];
}

export function previewOfLines({ assignments, problems }: ReadLines): EnvPreview {
  // By their places: in one line there may be several of a name.
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
