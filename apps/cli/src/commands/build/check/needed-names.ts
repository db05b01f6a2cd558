import { parseDotenv } from '@strata/domain';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { invalidInputError } from '../../../core/errors.ts';
import { baseOfProperty, nameInPointer, type ParameterSchema } from '../../../render/json-schema.ts';
import { readInput } from '../../../core/prompt.ts';

/** The names that the code of a program needs, and what it expects of their values. */
export interface NeededNames {
  /** Also the names that can lack a value, which only a schema has. */
  readonly names: readonly string[];
  readonly required: ReadonlySet<string>;
  readonly schemas: readonly NamesSchema[];
}

interface SchemaFile {
  readonly properties: Readonly<Record<string, ParameterSchema>>;
  readonly required?: readonly string[];
  readonly $defs?: unknown;
}

/** Reads the names of arguments and of files: dotenv files, or schemas of `strata generate types`. */
export async function neededNames(args: readonly string[], files: readonly string[]): Promise<NeededNames> {
  const required = new Set(args);
  const schemas: NamesSchema[] = [];
  for (const file of files) {
    const text = await readInput(file);
    if (text.trimStart().startsWith('{')) schemas.push(new NamesSchema(file, text));
    else for (const name of dotenvNames(file, text)) required.add(name);
  }
  const names = new Set([...required, ...schemas.flatMap((schema) => schema.names)]);
  for (const name of schemas.flatMap((schema) => schema.required)) required.add(name);
  if (names.size === 0) throw invalidInputError('There are no names to check.', 'Give names, or a file with --file.');
  return { names: [...names].sort(), required, schemas };
}

function dotenvNames(file: string, text: string): readonly string[] {
  const { entries, problems } = parseDotenv(text);
  const [first] = problems;
  if (first)
    throw invalidInputError(`${file} is no dotenv file: see line ${first.line}.`, 'Each line is NAME=text or a comment.');
  return entries.map(({ name }) => name);
}

/** A JSON Schema whose properties are the names of parameters. */
class NamesSchema {
  readonly names: readonly string[];
  readonly required: readonly string[];
  private readonly schema: SchemaFile;
  private readonly validate;

  constructor(file: string, text: string) {
    this.schema = parseSchema(file, text);
    this.names = Object.keys(this.schema.properties);
    this.required = this.schema.required ?? [];
    const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false, logger: false });
    try {
      this.validate = ajv.compile(this.schema);
    } catch (error) {
      throw invalidInputError(`${file} is not a JSON Schema that can be used: ${(error as Error).message}.`);
    }
  }

  /** Returns why texts are not valid, by name. Never quotes a text. */
  problems(texts: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> {
    this.validate(Object.fromEntries(texts));
    const reasons = new Map<string, Set<string>>();
    for (const error of this.validate.errors ?? []) {
      const [, name] = error.instancePath.split('/');
      const reason = describeError(error);
      if (name === undefined || reason === null) continue;
      const key = nameInPointer(name);
      reasons.set(key, (reasons.get(key) ?? new Set()).add(reason));
    }
    return new Map([...reasons].map(([name, texts]) => [name, [...texts]]));
  }

  /** Returns the base of the type that the schema expects; null if it says nothing about it. */
  findBase(name: string): string | null {
    const property = Object.hasOwn(this.schema.properties, name) ? this.schema.properties[name] : undefined;
    return property ? baseOfProperty(property, this.schema) : null;
  }
}

function parseSchema(file: string, text: string): SchemaFile {
  let content: Partial<SchemaFile>;
  try {
    content = JSON.parse(text);
  } catch {
    throw invalidInputError(`${file} is not valid JSON.`);
  }
  if (typeof content.properties === 'object' && content.properties !== null) return content as SchemaFile;
  throw invalidInputError(
    `${file} is not a JSON Schema with "properties".`,
    'Write one with `strata generate types --language json-schema`.',
  );
}

/** Returns what is wrong; null for a consequence of another error. */
function describeError({ keyword, message = 'is not valid', params }: ErrorObject): string | null {
  if (keyword === 'anyOf' || (keyword === 'type' && params.type === 'null')) return null;
  // Patterns of ranges are long, and no help.
  return `The schema rejects the value: it ${keyword === 'pattern' ? 'must match the pattern' : message}.`;
}
