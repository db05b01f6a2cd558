import type { ChangesetRequest } from '@strata/contract';
import type { Document, DocumentOptions, ParseOptions, ScalarTag, SchemaOptions } from 'yaml';
import { invalidInputError } from './errors.ts';
import { readInput } from './prompt.ts';

/** The body of a changeset, as its author wrote it. Strata validates it. */
export type ChangesetBody = Partial<Omit<ChangesetRequest, 'operations'>> & { readonly operations: readonly object[] };

/** Reads a changeset in YAML or JSON. Numbers and keys keep the text in which they are written. */
export async function readChangesetFile(file: string): Promise<ChangesetBody> {
  // The library reads a carriage return alone as a character. In YAML, it is a line break.
  const text = (await readInput(file)).replace(/\r\n?/g, '\n');
  const { isScalar, parseDocument, visit } = await import('yaml');
  const document = parseDocument(text, OPTIONS);
  const [problem] = [...document.errors, ...document.warnings];
  if (problem) throw unreadable(file, problem);
  visit(document, {
    Pair(_, { key }) {
      if (isScalar(key) && typeof key.value !== 'string') key.value = key.source ?? String(key.value);
    },
  });
  const content = toContent(document, file);
  if (typeof content === 'object' && content !== null && 'operations' in content && Array.isArray(content.operations))
    return content as ChangesetBody;
  throw invalidInputError(
    `${file} has no list "operations".`,
    'Write a changeset, such as {"operations": [{"set": {"values": {"PORT": "8081"}}}]}.',
  );
}

function toContent(document: Document, file: string): unknown {
  try {
    const content: unknown = document.toJS();
    // Throws if an alias contains itself.
    JSON.stringify(content);
    return content;
  } catch {
    throw invalidInputError(`${file} has aliases that refer to nothing, contain themselves, or repeat too much.`);
  }
}

interface YamlProblem {
  readonly code: string;
  readonly message: string;
  readonly linePos?: readonly { readonly line: number }[] | undefined;
}

function unreadable(file: string, { code, message, linePos }: YamlProblem) {
  const location = linePos?.[0] ? `${file}:${linePos[0].line}` : file;
  if (code === 'MULTIPLE_DOCS')
    return invalidInputError(`${file} contains several YAML documents.`, 'Write each changeset into one file.');
  if (code !== 'TAG_RESOLVE_FAILED') return invalidInputError(`${location}: This is neither YAML nor JSON.`);
  if (message.startsWith(NOT_IN_JSON)) return invalidInputError(`${location}: ${NOT_IN_JSON}`, 'Write it in quotes.');
  return invalidInputError(`${location}: Strata does not resolve this tag of YAML.`, 'Write the value without a tag.');
}

const NOT_IN_JSON = 'JSON cannot express this number.';
const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** Keeps the text of a number, because a float cannot represent every digit. */
function resolveNumber(text: string, onError: (message: string) => void): unknown {
  if (JSON_NUMBER.test(text)) return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text);
  onError(NOT_IN_JSON);
  return text;
}

const isNumberTag = (tag: unknown): tag is ScalarTag =>
  /:(int|float)$/.test((tag as { readonly tag?: string }).tag ?? '');

const OPTIONS: ParseOptions & DocumentOptions & SchemaOptions = {
  schema: 'core',
  resolveKnownTags: false,
  customTags: (tags) => tags.map((tag) => (isNumberTag(tag) ? { ...tag, resolve: resolveNumber } : tag)),
};
