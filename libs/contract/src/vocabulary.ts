import { z } from 'zod';

/** The values of an enum with their descriptions, for GraphQL and OpenAPI. */
export interface Vocabulary {
  /** The name of the GraphQL type. */
  readonly name: string;
  readonly description: string;
  /** The description of each value, in order. */
  readonly meanings: Readonly<Record<string, string>>;
}

/** Returns an enum with descriptions of its values. They stay with the schema when `meta` clones it. */
export function vocabulary<const Word extends string>(
  values: readonly Word[],
  { name, description, meaning }: Omit<Vocabulary, 'meanings'> & { readonly meaning: (word: Word) => string },
) {
  const explainedVocabulary: Vocabulary = {
    name,
    description,
    meanings: Object.fromEntries(values.map((word) => [word, meaning(word)])),
  };
  return z.enum(values).meta({ vocabulary: explainedVocabulary });
}

/** Returns the vocabulary of an enum or a query parameter, from the schema itself or one that it wraps. */
export function findVocabulary(schema: z.ZodType): Vocabulary | null {
  const { vocabulary: declaredVocabulary } = (schema.meta() ?? {}) as { readonly vocabulary?: Vocabulary };
  if (declaredVocabulary) return declaredVocabulary;
  return 'unwrap' in schema && typeof schema.unwrap === 'function' ? findVocabulary(schema.unwrap()) : null;
}
