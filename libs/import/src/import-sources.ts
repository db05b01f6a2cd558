import { parseDotenv } from '@strata/domain';
import { type EnvPreview, NAMES_MAX, previewOfLines } from './env-lines.ts';
import { SECRET_STORES, type SecretStore, type Separator, type SourceFormat, type Syntax } from './file-formats.ts';
import type { ReadPart, StructuredOptions } from './structured-lines.ts';

/** A file or pasted text of the user. */
export interface ImportSource {
  readonly id: number;
  readonly title: string;
  readonly text: string;
  readonly format: SourceFormat;
  /** The name of the environment to import into, unless the text names its environments. */
  readonly environment: string;
  /** The names of folders and of the file, which are joined with the names in the text like nested names. */
  readonly path?: readonly string[];
}

/** The values of a source for one environment. */
export interface ImportPart {
  readonly source: ImportSource;
  readonly environment: string;
  /** Whether the text names the environment. */
  readonly isOwn: boolean;
  readonly preview: EnvPreview;
}

export type ReadStructured = typeof import('./structured-lines.ts').structuredParts;

/** Loads the parser for JSON and YAML. */
export const loadStructured = async (): Promise<ReadStructured> =>
  (await import('./structured-lines.ts')).structuredParts;

let lastId = 0;

/** Guesses the format and the environment from the name of the file and from the text. */
export function sourceOf(
  { name, text }: { readonly name: string | null; readonly text: string },
  environments: readonly string[],
): ImportSource {
  const id = ++lastId;
  return {
    id,
    title: name ?? `Pasted text ${id}`,
    text,
    format: storeOf(text) ?? formatOf(name, text),
    environment: environmentInName(name, environments) ?? environments[0] ?? 'default',
  };
}

function formatOf(name: string | null, text: string): Syntax {
  if (name !== null && /\.json$/i.test(name)) return 'JSON';
  if (name !== null && /\.ya?ml$/i.test(name)) return 'YAML';
  if (name !== null && /(^|\.)env(\.|$)|\.properties$/i.test(name)) return 'dotenv';
  return syntaxOf(text);
}

function syntaxOf(text: string): Syntax {
  if (/^\s*[{[]/.test(text)) return 'JSON';
  const first = text.split('\n').find((line) => !/^\s*(#.*)?$/.test(line)) ?? '';
  return /^\s*---/.test(first) || /^[^=]*:(\s|$)/.test(first) ? 'YAML' : 'dotenv';
}

/** Returns the secret store that wrote a text, as far as the text shows it. */
function storeOf(text: string): SecretStore | null {
  const beginning = text.slice(0, 2_000);
  if (/^\s*[{[]/.test(text) && /"lease_id"\s*:/.test(beginning) && /"lease_duration"\s*:/.test(beginning))
    return 'Vault';
  if (/^\s*\[\s*\{\s*"(_id|key|workspace)"\s*:/.test(beginning) && /"key"\s*:.*"value"\s*:/s.test(beginning))
    return 'Infisical';
  return /\bDOPPLER_PROJECT\b/.test(text) && /\bDOPPLER_CONFIG\b/.test(text) ? 'Doppler' : null;
}

/** Returns the longest name of an environment that the name of the file contains, as in `.env.production` or `staging.json`. */
export function environmentInName(file: string | null, environments: readonly string[]): string | undefined {
  if (file === null) return undefined;
  const padded = `.${file.toLowerCase()}.`;
  const isNamed = (name: string) => {
    const at = padded.indexOf(name.toLowerCase());
    return at > 0 && /[._\- ]/.test(padded[at - 1] ?? '') && /[._\- ]/.test(padded[at + name.length] ?? '');
  };
  return environments.filter(isNamed).sort((one, other) => other.length - one.length)[0];
}

interface PartsOptions {
  readonly separator: Separator;
  readonly environments: readonly string[];
  /** The parser for JSON and YAML; null until it is loaded. */
  readonly structured: ReadStructured | null;
}

/** Returns the parts of the sources, one for each environment. */
export function partsOf(sources: readonly ImportSource[], options: PartsOptions): readonly ImportPart[] {
  const known = new Set(options.environments);
  return sources.flatMap((source): ImportPart[] => {
    const store = isStore(source.format) ? source.format : null;
    return readParts(source, store, { ...options, environments: known }).map((part) => ({
      source,
      environment: part.environment ?? source.environment,
      isOwn: part.environment !== null,
      preview: previewOfLines(part, store !== null),
    }));
  });
}

const isStore = (format: SourceFormat): format is SecretStore =>
  (SECRET_STORES as readonly SourceFormat[]).includes(format);

/** Matches the names that Doppler adds to each configuration. */
const OF_DOPPLER = /^DOPPLER_/;

function readParts(
  { format, text, path = [] }: ImportSource,
  store: SecretStore | null,
  { structured, ...options }: Omit<PartsOptions, 'environments'> & Pick<StructuredOptions, 'environments'>,
): readonly ReadPart[] {
  const syntax = isStore(format) ? syntaxOf(text) : format;
  const read: readonly ReadPart[] =
    syntax === 'dotenv'
      ? [{ ...parseDotenv(text, NAMES_MAX), environment: null }]
      : (structured?.(text, { ...options, format: syntax, store }) ?? []);
  return read.map((part) => ({
    ...part,
    assignments: part.assignments
      .filter(({ name }) => store !== 'Doppler' || !OF_DOPPLER.test(name))
      .map((one) => (path.length === 0 ? one : { ...one, name: [...path, one.name].join(options.separator) })),
  }));
}
