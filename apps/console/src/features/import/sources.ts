import { parseDotenv } from '@strata/domain';
import { type EnvPreview, NAMES_MAX, previewOfLines } from '../../kit/env-file/env-lines.ts';
import type { ChosenFile } from '../../kit/env-file/file-input.tsx';
import type { ReadPart, Separator } from './structured-lines.ts';

export const FILE_FORMATS = ['dotenv', 'JSON', 'YAML'] as const;
export type SourceFormat = (typeof FILE_FORMATS)[number];

/** A file or pasted text of the user. */
export interface ImportSource {
  readonly id: number;
  readonly title: string;
  readonly text: string;
  readonly format: SourceFormat;
  /** The name of the environment to import into, unless the text names its environments. */
  readonly environment: string;
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

let lastId = 0;

/** Guesses the format and the environment from the name of the file and from the text. */
export function sourceOf({ name, text }: ChosenFile, environments: readonly string[]): ImportSource {
  const id = ++lastId;
  return {
    id,
    title: name ?? `Pasted text ${id}`,
    text,
    format: formatOf(name, text),
    environment: environmentOf(name, environments) ?? environments[0] ?? 'default',
  };
}

function formatOf(name: string | null, text: string): SourceFormat {
  if (name !== null && /\.json$/i.test(name)) return 'JSON';
  if (name !== null && /\.ya?ml$/i.test(name)) return 'YAML';
  if (name !== null && /(^|\.)env(\.|$)|\.properties$/i.test(name)) return 'dotenv';
  if (/^\s*\{/.test(text)) return 'JSON';
  const first = text.split('\n').find((line) => !/^\s*(#.*)?$/.test(line)) ?? '';
  return /^\s*---/.test(first) || /^[^=]*:(\s|$)/.test(first) ? 'YAML' : 'dotenv';
}

/** Returns the longest name of an environment that the name of the file contains, as in `.env.production` or `staging.json`. */
function environmentOf(file: string | null, environments: readonly string[]): string | undefined {
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
  const { separator, environments, structured } = options;
  const known = new Set(environments);
  return sources.flatMap((source): ImportPart[] => {
    const { format, text, environment: given } = source;
    const read: readonly ReadPart[] =
      format === 'dotenv'
        ? [{ ...parseDotenv(text, NAMES_MAX), environment: null }]
        : (structured?.(text, { format, separator, environments: known }) ?? []);
    return read.map((part) => ({
      source,
      environment: part.environment ?? given,
      isOwn: part.environment !== null,
      preview: previewOfLines(part),
    }));
  });
}
