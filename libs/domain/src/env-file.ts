import { buildExport, type ExportFormat, exportName } from './export.ts';

/** The readers for which a dotenv file can be written. `all` is the form that all except `ruby` read alike. */
export const DOTENV_READERS = [
  ...(['all', 'dotenv', 'node', 'dotenvx', 'sh', 'python-dotenv', 'compose', 'godotenv', 'ruby'] as const),
] as const;
export type DotenvReader = (typeof DOTENV_READERS)[number];

interface Variable {
  readonly name: string;
  /** An explicit null is written as an empty text. */
  readonly text: string | null;
}

interface EnvFile {
  readonly body: string;
  /** The names of variables whose text the format or the reader cannot represent. The body does not contain them. */
  readonly unwritable: readonly string[];
}

/** Returns the notation of a text; null if a reader would read another text. */
type Notation = (text: string) => string | null;

const quoted =
  (quote: "'" | '"' | '`', misreadPattern: RegExp): Notation =>
  (text) =>
    misreadPattern.test(text) ? null : `${quote}${text}${quote}`;

const escaped =
  (specialPattern: RegExp, misreadPattern: RegExp): Notation =>
  (text) =>
    misreadPattern.test(text)
      ? null
      : `"${text.replace(specialPattern, '\\$&').replace(/\n/g, '\\n').replace(/\r/g, '\\r')}"`;

const NEVER = /(?!)/;
const unquoted: Notation = (text) => (/^[^\s'"`#]([^#\r\n]*[^\s#])?$/.test(text) ? text : null);

/**
 * The notations of each reader, the preferred one first. Each excludes what the reader itself was seen to misread: most readers take single
 * quotes literally, and expand `$` and escapes in double quotes.
 */
const NOTATIONS: Readonly<Record<DotenvReader, readonly Notation[]>> = {
  all: [quoted("'", /['\r]|\\\\|\\$|\$\{/), quoted('"', /["\\$`\r]/)],
  dotenv: [
    ...[quoted("'", /['\r]|\\$/), quoted('"', /["\\\r]/), quoted('`', /[`\r]|\\$/), unquoted],
    escaped(NEVER, /["\\]/),
  ],
  node: [quoted("'", /['\r]/), quoted('"', /["\r]|\\n/), quoted('`', /[`\r]/), unquoted],
  dotenvx: [
    ...[quoted("'", /['\r]|\\$/), quoted('"', /["\\$\r]/), quoted('`', /[`$\r]|\\$/)],
    escaped(NEVER, /["\\$]/),
  ],
  sh: [(text) => `'${text.replaceAll("'", `'"'"'`)}'`],
  'python-dotenv': [
    (text) => (/\$\{|\r/.test(text) ? null : `'${text.replace(/['\\]/g, '\\$&')}'`),
    escaped(/["\\]/g, /\$\{/),
  ],
  compose: [quoted("'", /'|\\$/), (text) => `"${text.replace(/["\\$]/g, '\\$&')}"`],
  godotenv: [quoted("'", /['\r]|\\$/), quoted('"', /["\\$\r]/)],
  ruby: [quoted("'", /['\r\n]/), escaped(/["\\$]/g, /\\[nr]|\$\(/)],
};

interface EnvFileOptions {
  readonly reader?: DotenvReader;
  /** Whether each line of a shell begins with `export`. */
  readonly explicitExport?: boolean;
}

/**
 * Returns a file of variables that its reader reads back exactly. It differs from `exportBody`, which writes the bytes of the contract. Docker
 * has no quotes, so the second line of a text would be another variable.
 */
export function writeEnvFile(
  variables: readonly Variable[],
  format: ExportFormat,
  { reader = 'all', explicitExport = false }: EnvFileOptions = {},
): EnvFile {
  const lines = variables.map((variable) => ({
    name: variable.name,
    line: writeLine(variable, format, reader, explicitExport),
  }));
  return {
    body: lines.map(({ line }) => line ?? '').join(''),
    unwritable: lines.filter(({ line }) => line === null).map(({ name }) => name),
  };
}

/** The names of parameters that a file does not contain, by reason. */
export interface OmittedNames {
  /** The name cannot be the name of a variable. */
  readonly invalid: readonly string[];
  /** The names are equal in capitals. */
  readonly colliding: readonly string[];
  /** The format cannot represent the text. */
  readonly unwritable: readonly string[];
}

/** Returns the file of all parameters that a format can represent, in the order of their variables, and the names of the others. */
export function exportFile(
  values: Readonly<Record<string, string | null>>,
  format: ExportFormat,
  { reader = 'all', explicitExport = format === 'shell' }: EnvFileOptions = {},
): { readonly body: string; readonly omitted: OmittedNames } {
  const names = Object.keys(values);
  const { valid = [], invalid = [] } = Object.groupBy(names, (name) =>
    exportName(name) === null ? 'invalid' : 'valid',
  );
  const collidingNames = new Set(namesThatCollide(valid).flat());
  const parameters = new Map(
    valid.filter((name) => !collidingNames.has(name)).map((name) => [name.toUpperCase(), name]),
  );
  const variables = [...parameters]
    .map(([name, parameter]) => ({ name, text: values[parameter] ?? null }))
    .sort((left, right) => (left.name < right.name ? -1 : 1));
  const { body, unwritable } = writeEnvFile(variables, format, { reader, explicitExport });
  return {
    body,
    omitted: {
      invalid,
      colliding: [...collidingNames],
      unwritable: unwritable.flatMap((name) => parameters.get(name) ?? []),
    },
  };
}

function writeLine(
  variable: Variable,
  format: ExportFormat,
  reader: DotenvReader,
  explicitExport: boolean,
): string | null {
  const text = variable.text ?? '';
  if (format === 'docker' && /[\r\n]/.test(text)) return null;
  if (format !== 'dotenv') return buildExport([variable], format, { explicitExport });
  for (const notation of NOTATIONS[reader]) {
    const writtenText = notation(text);
    if (writtenText !== null) return `${variable.name}=${writtenText}\n`;
  }
  return null;
}

/** Returns the groups of names that are equal in capitals, as in an export or in the environment of Windows. */
export function namesThatCollide(names: readonly string[]): readonly (readonly string[])[] {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const group = groups.get(name.toUpperCase());
    if (group) group.push(name);
    else groups.set(name.toUpperCase(), [name]);
  }
  return [...groups.values()].filter((group) => group.length > 1);
}
