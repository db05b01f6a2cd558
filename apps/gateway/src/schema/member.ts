import { findVocabulary, type Vocabulary } from '@strata/contract';
import { z } from 'zod';

/** The kind of a member of a shape, body or query, as precise as GraphQL requires. */
export type Kind = ScalarKind | { readonly is: 'object'; readonly schema: z.ZodObject };
export type ScalarKind =
  | { readonly is: 'text' | 'id' | 'flag' | 'count' | 'time' | 'link' | 'map' | 'json' }
  | { readonly is: 'word'; readonly vocabulary: Vocabulary };

export interface Member {
  readonly kind: Kind;
  readonly list: boolean;
  readonly nullable: boolean;
  /** The description in the contract. */
  readonly about: string;
}

interface Meta {
  readonly description?: string;
  readonly type?: string;
  readonly format?: string;
  readonly link?: boolean;
}

/**
 * Returns the kind of a contract member. The key decides if the schema is too general, because ids are plain texts in
 * it.
 */
export function describeMember(key: string, schema: z.ZodType): Member {
  const meta = (schema.meta() ?? {}) as Meta;
  const inner = describeInner(key, schema, meta);
  return meta.description ? { ...inner, about: meta.description } : inner;
}

function describeInner(key: string, schema: z.ZodType, meta: Meta): Member {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return { ...describeMember(key, schema.unwrap() as z.ZodType), nullable: true };
  if (schema instanceof z.ZodArray)
    return { ...describeMember(key, schema.element as z.ZodType), list: true, nullable: false };
  // A query parameter is a text on the wire; its metadata holds the actual type.
  if (schema instanceof z.ZodPipe && meta.type === undefined) {
    const { in: before, out: after } = schema;
    return describeMember(key, (after instanceof z.ZodTransform ? before : after) as z.ZodType);
  }
  return { kind: detectKind(key, schema, meta), list: false, nullable: schema instanceof z.ZodNull, about: '' };
}

function detectKind(key: string, schema: z.ZodType, { type, format, link }: Meta): Kind {
  if (schema instanceof z.ZodObject) return { is: 'object', schema };
  const vocabulary = findVocabulary(schema);
  if (vocabulary) return { is: 'word', vocabulary };
  if (schema instanceof z.ZodBoolean || type === 'boolean') return { is: 'flag' };
  if (schema instanceof z.ZodNumber || type === 'integer') return { is: 'count' };
  if (schema instanceof z.ZodRecord && schema.valueType instanceof z.ZodString) return { is: 'map' };
  if (schema instanceof z.ZodRecord || schema instanceof z.ZodUnknown) return { is: 'json' };
  if (format === 'uri' || link) return { is: 'link' };
  if (format === 'date-time') return { is: 'time' };
  const isId = key === 'id' || key === 'id__in' || key.endsWith('_id') || format === 'uuid';
  return { is: isId ? 'id' : 'text' };
}

/** Returns the kind of a text that always is one of these words, although the contract allows any text. */
export function enumKind(schema: z.ZodType): ScalarKind {
  const vocabulary = findVocabulary(schema);
  if (!vocabulary) throw new Error('Only an enum of the contract has values.');
  return { is: 'word', vocabulary };
}
