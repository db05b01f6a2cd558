import { z } from 'zod';

/** Fixed words with their meaning: what GraphQL calls an enum. OpenAPI lists the same words in its description. */
export interface Vocabulary {
  /** Name of the type in GraphQL. */
  readonly name: string;
  readonly description: string;
  /** What each word means, in the order in which they are listed. */
  readonly words: Readonly<Record<string, string>>;
}

/** An enum whose words are explained. Its meaning travels with the schema, through every clone that `meta` makes. */
export function vocabulary<const Word extends string>(
  words: readonly Word[],
  { name, description, meaning }: Omit<Vocabulary, 'words'> & { readonly meaning: (word: Word) => string },
) {
  const explained: Vocabulary = {
    name,
    description,
    words: Object.fromEntries(words.map((word) => [word, meaning(word)])),
  };
  return z.enum(words).meta({ vocabulary: explained });
}

/** The vocabulary of an enum or of a query parameter, which the schema itself or one that it wraps may carry. */
export function vocabularyOf(schema: z.ZodType): Vocabulary | null {
  const { vocabulary: found } = (schema.meta() ?? {}) as { readonly vocabulary?: Vocabulary };
  if (found) return found;
  return 'unwrap' in schema && typeof schema.unwrap === 'function' ? vocabularyOf(schema.unwrap()) : null;
}
