import { z } from 'zod';

/** What a member of a shape of the contract holds, as far as GraphQL tells it apart. */
export type Kind =
  | { readonly is: 'text' | 'id' | 'flag' | 'count' | 'time' | 'link' | 'map' | 'json' }
  | { readonly is: 'word'; readonly words: readonly string[] }
  | { readonly is: 'object'; readonly schema: z.ZodObject };

export interface Slot {
  readonly kind: Kind;
  readonly list: boolean;
  readonly nullable: boolean;
}

/** `created_at` → `createdAt`; `name__icontains` → `nameIcontains`. */
export function camel(word: string): string {
  return word.replace(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

export function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

/** The name of the id in a link: `depends_on` → `dependsOnId`, `dependents` → `dependentIds`. */
export function nameOfLink(key: string, list: boolean): string {
  return list ? `${camel(key).replace(/s$/, '')}Ids` : `${camel(key)}Id`;
}

export function slotOf(key: string, schema: z.ZodType): Slot {
  const said = z.globalRegistry.get(schema) as { readonly format?: string } | undefined;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return { ...slotOf(key, schema.unwrap() as z.ZodType), nullable: true };
  }
  if (schema instanceof z.ZodPipe) {
    const { in: before, out: after } = schema;
    return slotOf(key, (after instanceof z.ZodTransform ? before : after) as z.ZodType);
  }
  if (schema instanceof z.ZodArray) return { ...slotOf(key, schema.element as z.ZodType), list: true, nullable: false };
  return { kind: kindOf(key, schema, said?.format), list: false, nullable: schema instanceof z.ZodNull };
}

function kindOf(key: string, schema: z.ZodType, format: string | undefined): Kind {
  if (schema instanceof z.ZodObject) return { is: 'object', schema };
  if (schema instanceof z.ZodEnum) return { is: 'word', words: schema.options as string[] };
  if (schema instanceof z.ZodBoolean) return { is: 'flag' };
  if (schema instanceof z.ZodNumber) return { is: 'count' };
  if (schema instanceof z.ZodRecord && schema.valueType instanceof z.ZodString) return { is: 'map' };
  if (schema instanceof z.ZodRecord || schema instanceof z.ZodUnknown) return { is: 'json' };
  if (format === 'uri') return { is: 'link' };
  if (format === 'date-time') return { is: 'time' };
  return { is: key === 'id' || key.endsWith('_id') ? 'id' : 'text' };
}
