import { parseDotenv } from '@strata/domain';
import { type EnvPreview, type EnvProblem, NAMES_MAX, previewOfLines } from './env-lines.ts';
import { SECRET_STORES, type SecretStore, type Separator, type SourceFormat, type Syntax } from './file-formats.ts';
import { detectSignature } from './signatures.ts';
import type { ParsedValues, StructuredOptions } from './structured-lines.ts';

/** A file or pasted text of the user. */
export interface ImportSource {
  readonly id: number;
  readonly title: string;
  readonly text: string;
  readonly format: SourceFormat;
  /** The name of the environment to import into, unless the text names its environments. Empty if the user must choose it. */
  readonly environment: string;
  /** Why the text cannot be imported in any format. */
  readonly problem?: EnvProblem;
  /** The names of folders and of the file, which are joined with the names in the text like nested names. */
  readonly path?: readonly string[];
}

/** The values of a source for one environment. */
export interface ImportPart {
  readonly source: ImportSource;
  readonly environment: string;
  /** Whether the text names the environment. */
  readonly isOwn: boolean;
  /** If only some top-level keys are names of environments: the other ones. The text is read as if none were. */
  readonly otherKeys: readonly string[];
  readonly preview: EnvPreview;
}

export type ReadStructured = typeof import('./structured-lines.ts').structuredParts;

/** Loads the parser for JSON and YAML. */
export const loadStructured = async (): Promise<ReadStructured> =>
  (await import('./structured-lines.ts')).structuredParts;

let lastId = 0;

/** Matches names of files that belong to no environment. */
const WITHOUT_ENVIRONMENT = /^\.?env$/i;

/** Guesses the format and the environment from the name of the file and from the text. */
export function createSource(
  { name, text }: { readonly name: string | null; readonly text: string },
  environments: readonly string[],
): ImportSource {
  const id = ++lastId;
  const signature = detectSignature(text);
  const environmentNames = environmentsInName(name, environments);
  const usesRoot = name === null || WITHOUT_ENVIRONMENT.test(name);
  return {
    id,
    title: name ?? `Pasted text ${id}`,
    text,
    format: signature?.format ?? guessFormat(name, text),
    environment:
      environmentNames.length === 1 ? (environmentNames[0] ?? '') : usesRoot ? (environments[0] ?? 'default') : '',
    ...(signature?.problem !== undefined && { problem: { line: signature.line, message: signature.problem } }),
  };
}

function guessFormat(name: string | null, text: string): Syntax {
  if (name !== null && /\.json$/i.test(name)) return 'JSON';
  if (name !== null && /\.ya?ml$/i.test(name)) return 'YAML';
  if (name !== null && /(^|\.)env(\.|$)|\.properties$/i.test(name)) return 'dotenv';
  return guessSyntax(text);
}

function guessSyntax(text: string): Syntax {
  if (/^\s*[{[]/.test(text)) return 'JSON';
  const first = text.split('\n').find((line) => !/^\s*(#.*)?$/.test(line)) ?? '';
  return /^\s*---/.test(first) || /^[^=]*:(\s|$)/.test(first) ? 'YAML' : 'dotenv';
}

/**
 * Returns the environments that the name of a file contains as whole parts between dots, as in `.env.production` or `staging.json`. Several ones
 * are ambiguous.
 */
export function environmentsInName(file: string | null, environments: readonly string[]): readonly string[] {
  if (file === null) return [];
  const containsName = (text: string, name: string) => `.${text}.`.toLowerCase().includes(`.${name}.`.toLowerCase());
  const environmentNames = environments.filter((name) => containsName(file, name));
  return environmentNames.filter(
    (name) => !environmentNames.some((longerName) => longerName.length > name.length && containsName(longerName, name)),
  );
}

interface PartsOptions {
  readonly separator: Separator;
  readonly environments: readonly string[];
  /** The parser for JSON and YAML; null until it is loaded. */
  readonly structured: ReadStructured | null;
}

/** Returns the parts of the sources, one for each environment. */
export function splitParts(importSources: readonly ImportSource[], options: PartsOptions): readonly ImportPart[] {
  const environmentNames = new Set(options.environments);
  return importSources.flatMap((source): ImportPart[] => {
    const isSecretStore = isStore(source.format);
    return readParts(source, { ...options, environments: environmentNames }).map((part) => ({
      source,
      environment: part.environment ?? source.environment,
      isOwn: part.environment !== null,
      otherKeys: part.otherKeys ?? [],
      preview: previewOfLines(part, isSecretStore),
    }));
  });
}

const isStore = (format: SourceFormat): format is SecretStore =>
  (SECRET_STORES as readonly SourceFormat[]).includes(format);

/** Matches the names that Doppler adds to each configuration. */
const OF_DOPPLER = /^DOPPLER_/;

function readParts(
  { format, text, path = [], problem }: ImportSource,
  { structured, ...options }: Omit<PartsOptions, 'environments'> & Pick<StructuredOptions, 'environments'>,
): readonly ParsedValues[] {
  if (problem) return [{ environment: null, assignments: [], problems: [problem] }];
  const program = isStore(format) || format === 'Consul' ? format : null;
  const syntax = isStore(format) || format === 'Consul' ? guessSyntax(text) : format;
  const read: readonly ParsedValues[] =
    syntax === 'dotenv'
      ? [{ ...parseDotenv(text, NAMES_MAX), environment: null }]
      : (structured?.(text, { ...options, format: syntax, program }) ?? []);
  return read.map((part) => {
    const isOfDoppler = ({ name }: { readonly name: string }) => program === 'Doppler' && OF_DOPPLER.test(name);
    const skippedAssignments = part.assignments
      .filter(isOfDoppler)
      .map(({ line, name }) => ({ line, message: `Doppler adds ${name} to each configuration.` }));
    return {
      ...part,
      skipped: [...(part.skipped ?? []), ...skippedAssignments],
      assignments: part.assignments
        .filter((assignment) => !isOfDoppler(assignment))
        .map((assignment) =>
          path.length === 0 ? assignment : { ...assignment, name: [...path, assignment.name].join(options.separator) },
        ),
    };
  });
}
