import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { type Field, listFields, type Schema } from './contract-inputs.ts';

/** Selects the smallest or the largest value that a schema allows. */
export type Size = 'least' | 'most';

/**
 * A character of two UTF-16 units and four bytes. With it, tests detect code that counts units or bytes instead of
 * characters.
 */
const WIDE = '🎉';
/**
 * The maximum length of texts in wide characters. Longer texts use narrow ones, because a request could not hold them
 * otherwise.
 */
const WIDE_MAX = 65_536;
const LENGTH_UNSAID = 40;
const EMAIL_TAIL = '@example.com';
/** The maximum length of a list in samples. Longer lists are not tested at their limit. */
const LIST_TRIED = 100;

let serials = 0;
function serial(): string {
  serials += 1;
  return String(serials);
}

/** Returns a value that the schema allows. Texts are distinct. */
export function createSample(schema: Schema, size: Size): unknown {
  if (schema.enum) return size === 'least' ? schema.enum[0] : schema.enum.at(-1);
  switch (schema.type) {
    case 'string':
      return sampleText(schema, size);
    case 'boolean':
      return size === 'most';
    case 'integer':
      return size === 'least' ? (schema.minimum ?? 0) : (schema.maximum ?? 1);
    case 'array':
      return sampleItems(schema, size);
    case 'object':
      return sampleObject(schema, size);
    default:
      return null;
  }
}

function sampleItems({ items = {}, minItems = 0 }: Schema, size: Size): unknown[] {
  if (size === 'most' && items.enum) return [...items.enum];
  return Array.from({ length: size === 'least' ? minItems : Math.max(minItems, 2) }, () => createSample(items, size));
}

function sampleObject(schema: Schema, size: Size): object {
  const { additionalProperties: additionalSchema } = schema;
  if (!schema.properties && additionalSchema?.type)
    return size === 'least' ? {} : { [`x${serial()}`]: createSample(additionalSchema, size) };
  const fields = listFields(schema).filter(({ required }) => size === 'most' || required);
  return Object.fromEntries(fields.map((field) => [field.name, createSample(field.schema, size)]));
}

function sampleText({ format, pattern, minLength = 1, maxLength = LENGTH_UNSAID }: Schema, size: Size): string {
  if (format === 'uri') throw new Error('A link leads to something; it has to be given.');
  if (format === 'uuid') return randomUUID();
  if (format === 'date-time') return size === 'least' ? '2024-02-29T00:00:00Z' : '2024-02-29T23:59:59.123456789+05:30';
  const length = size === 'least' ? minLength : maxLength;
  if (format === 'email') return filled('x', Math.max(length - EMAIL_TAIL.length, 1)) + EMAIL_TAIL;
  if (pattern === undefined) return filled(size === 'most' && length <= WIDE_MAX ? WIDE : 'x', length);
  const patternRegExp = new RegExp(pattern, 'u');
  const character = ['x', '1'].find((candidate) => patternRegExp.test(candidate.repeat(length)));
  return character === undefined ? sampleOfPattern(patternRegExp) : filled(character, length);
}

function sampleOfPattern(pattern: RegExp): string {
  const [text = ''] = fc.sample(fc.stringMatching(pattern), { numRuns: 1, seed: Number(serial()) });
  return text;
}

/** Returns a text of this length whose last characters make it distinct. */
function filled(character: string, length: number): string {
  const end = serial();
  return character.repeat(Math.max(length - end.length, 0)) + end;
}

/** Returns values that the schema of a field does not allow; `undefined` stands for a missing field. */
export function createInvalidSamples({ schema, required }: Field): unknown[] {
  return [
    ...(required ? [undefined] : []),
    ...(required && !schema.nullable ? [null] : []),
    ...(schema.enum ? wrongChoices(schema.enum) : wrongKinds(schema)),
  ];
}

/** Choices are case-sensitive. */
function wrongChoices(choices: readonly unknown[]): unknown[] {
  return ['nonsense', String(choices[0]).toLowerCase(), {}].filter((choice) => !choices.includes(choice));
}

function wrongKinds(schema: Schema): unknown[] {
  const { type, minimum, maximum, items, maxItems = Number.POSITIVE_INFINITY } = schema;
  if (type === 'string') return [{}, ...wrongTexts(schema)];
  if (type === 'boolean') return ['perhaps', {}];
  if (type === 'integer') return ['x', 1.5, ...outside(minimum, maximum)];
  if (type !== 'array') return ['x', [], ...wrongInside(schema)];
  const tooMany = Array.from({ length: maxItems <= LIST_TRIED ? maxItems + 1 : 0 }, () => randomUUID());
  return [{}, [items?.enum ? 'nonsense' : {}], ...(tooMany.length > 0 && !items?.enum ? [tooMany] : [])];
}

function outside(minimum: number | undefined, maximum: number | undefined): number[] {
  return [...(minimum === undefined ? [] : [minimum - 1]), ...(maximum === undefined ? [] : [maximum + 1])];
}

function wrongInside(schema: Schema): object[] {
  const completeSample = createSample(schema, 'least') as object;
  const { additionalProperties: additionalSchema } = schema;
  if (!schema.properties && additionalSchema?.type === 'string')
    return [{ x: {} }, ...wrongTexts(additionalSchema).map((wrongText) => ({ x: wrongText }))];
  return listFields(schema).flatMap((field) =>
    createInvalidSamples(field).map((wrongValue) => ({ ...completeSample, [field.name]: wrongValue })),
  );
}

function wrongTexts({ format, pattern, minLength, maxLength }: Schema): string[] {
  return [
    'a\u0000b',
    ...(format !== undefined || pattern !== undefined ? ['no such thing'] : []),
    ...(format === 'uri' ? [randomUUID()] : []),
    ...(maxLength === undefined ? [] : ['1'.repeat(maxLength + 1)]),
    ...(minLength === undefined ? [] : ['1'.repeat(minLength - 1)]),
  ];
}

/** Returns invalid query parameters, which are texts. An empty parameter counts as absent. */
export function createInvalidTexts({ schema }: Field): string[] {
  const { enum: choices, type, format, minimum, maximum } = schema;
  if (choices) return ['nonsense'];
  if (type === 'boolean') return ['perhaps'];
  if (type === 'integer') return ['x', ...outside(minimum, maximum).map(String)];
  return [format === 'uuid' || format === 'date-time' ? 'nonsense' : 'a\u0000b'];
}
