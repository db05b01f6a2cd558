import { detectSecretIndicator, parseWrittenReferences } from '@strata/domain';
import type { EnvLine, EnvPreview } from './env-lines.ts';

/** The references in a text that a user pastes or imports. */
export interface TextReferences {
  /** The names in the references, in the order of the text. */
  readonly names: readonly string[];
  /** The text to store if the references are resolved. `${NAME}` of dotenv files becomes `{{ NAME }}`. */
  readonly dynamicText: string;
  /** The reason why the references cannot be resolved, so that the text stays literal; null if they can. */
  readonly problem: string | null;
}

/** Matches `${NAME}` unless it is escaped. Defaults such as `${NAME:-x}` have no equivalent, so they stay text. */
const SHELL_REFERENCE = /(?<![\\$])\$\{([A-Za-z_]\w*)\}/g;

/** Returns the references in the value of a parameter; null if there are none. `isParameter` returns whether a parameter of this name exists. */
export function textReferences(
  text: string,
  parameter: string,
  isParameter: (name: string) => boolean,
): TextReferences | null {
  if (!text.includes('{{') && !text.includes('${')) return null;
  const dynamicText = text.replace(SHELL_REFERENCE, '{{ $1 }}');
  const references = parseWrittenReferences(dynamicText);
  if (references.length === 0) return null;
  const mentions = references.flatMap((reference) => reference.mentions);
  const names = [...new Set(mentions.map(({ name }) => name))];
  const missingNames = names.filter((name) => !isParameter(name));
  const isOther = mentions.some(({ kind, project }) => kind !== 'parameter' || project !== null);
  const problem =
    references.find((reference) => reference.problem !== null)?.problem ??
    (isOther ? 'Only references to parameters of the project are resolved here.' : null) ??
    (missingNames.length > 0 ? `The project has no parameter named ${missingNames.join(', ')}.` : null) ??
    (names.includes(parameter) ? 'A value cannot refer to itself.' : null);
  return { names, dynamicText, problem };
}

interface ReferencesOptions {
  /** The parameters of the project by name. */
  readonly targets: ReadonlyMap<string, { readonly secret: boolean }>;
  /** The user's choices whether new parameters are secret, by name. */
  readonly secretChoices: ReadonlyMap<string, boolean>;
}

type PartWithLines = { readonly preview: EnvPreview };

/**
 * Returns the lines with references. A reference can be resolved if its parameter exists or another line creates it. The text of a secret
 * stays literal, because it cannot refer to others.
 */
export function lineReferences(
  parts: readonly PartWithLines[],
  { targets, secretChoices }: ReferencesOptions,
): ReadonlyMap<EnvLine, TextReferences> {
  const lines = parts.flatMap(({ preview }) => preview.importable);
  const newNames = new Set(lines.map(({ name }) => name));
  const isParameter = (name: string) => targets.has(name) || newNames.has(name);
  const referencesByLine = new Map(
    lines.flatMap((line) => {
      const references = line.text === null ? null : textReferences(line.text, line.name, isParameter);
      return references ? [[line, references] as const] : [];
    }),
  );
  const secrets = findProposedSecrets(parts, filterResolvable(referencesByLine), secretChoices);
  const isSecret = ({ name }: EnvLine) => targets.get(name)?.secret ?? secrets.has(name);
  return new Map(
    [...referencesByLine].map(([line, references]) => [
      line,
      isSecret(line)
        ? { ...references, names: [], problem: 'The value of a secret cannot refer to others.' }
        : references,
    ]),
  );
}

/** Returns the lines or cells whose references can be resolved. */
export const filterResolvable = <Key>(references: ReadonlyMap<Key, TextReferences>): ReadonlyMap<Key, TextReferences> =>
  new Map([...references].filter(([, { problem }]) => problem === null));

/**
 * Returns the names of the parameters that are secret if they are created: those that look like secrets in one of the parts, and the user's
 * choices. Of the lines whose references are resolved, only the literal content counts.
 */
export function findProposedSecrets(
  parts: readonly PartWithLines[],
  resolvedReferences: ReadonlyMap<EnvLine, TextReferences> = new Map(),
  choices: ReadonlyMap<string, boolean> = new Map(),
): ReadonlySet<string> {
  const looksSecret = (line: EnvLine) => {
    const text = resolvedReferences.get(line)?.dynamicText;
    if (text === undefined || line.looks === 'secret_store') return line.looks !== null;
    return detectSecretIndicator({ name: line.name, type: 'string', text, interpolated: true }) !== null;
  };
  const names = new Set(parts.flatMap(({ preview }) => preview.importable.filter(looksSecret).map(({ name }) => name)));
  for (const [name, isSecret] of choices) isSecret ? names.add(name) : names.delete(name);
  return names;
}
