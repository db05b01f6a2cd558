import { z } from 'zod';
import { linkOutput } from './fields.ts';

/** The page of a list. `next` and `previous` keep all other query parameters. */
export function pageSchema<Item extends z.ZodType>(item: Item, id: string) {
  return z
    .object({
      count: z.int(),
      next: linkOutput.nullable(),
      previous: linkOutput.nullable(),
      results: z.array(item),
    })
    .meta({ id });
}

export interface Page<Item> {
  readonly count: number;
  readonly next: string | null;
  readonly previous: string | null;
  readonly results: readonly Item[];
}
