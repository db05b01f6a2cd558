import type { z } from 'zod';
import type { ActionDeclaration } from './action.ts';
import type { Assembly } from './assembly.ts';
import type { ListDeclaration } from './list-field.ts';
import type { NounDeclaration } from './noun.ts';
import type { ObjectDeclaration } from './object-type.ts';
import type { ReadFieldDefinition } from './read-field.ts';

/** The additions of one area of the API to the schema. The order of parts and of their members does not matter. */
export interface SchemaPart {
  readonly objects?: readonly ObjectDeclaration[];
  /** Input types that several inputs share. Other nested inputs are named after the input that contains them. */
  readonly inputs?: readonly { readonly name: string; readonly of: z.ZodObject }[];
  readonly nouns?: readonly NounDeclaration[];
  readonly lists?: readonly ListDeclaration[];
  readonly reads?: readonly ReadFieldDefinition[];
  readonly actions?: readonly ActionDeclaration[];
  /** Adds fields that need custom code. */
  readonly extend?: (assembly: Assembly) => void;
}
