import type { Params } from '@strata/domain';
import { z } from 'zod';
import { RuleType } from './rule.ts';

// Generators of clients need one type for all values: a text, a number or a list of texts.
export const params = (z.record(z.string(), z.unknown()) as unknown as z.ZodType<Params>).meta({
  id: 'ErrorParams',
  description:
    'The names and numbers in the sentence, by name: texts, numbers and lists of texts. The code determines the names; a sentence may lack some of them. Never contains a secret.',
});

const members = {
  code: z.string().meta({ description: 'The stable error code.' }),
  pointer: z.string().meta({
    description:
      'JSON pointer (RFC 6901) to the input that caused the error: a member of the body, `/environment` for a query parameter, `/path/id` for a segment of the path. Empty if the error is about no input.',
  }),
  params,
  detail: z.string().meta({ description: 'A sentence for people. It can change.' }),
};

export const ErrorEntry = z
  .object({
    ...members,
    rule: RuleType.optional().meta({ description: 'The kind of the violated rule, if a rule is violated.' }),
    field: z
      .string()
      .optional()
      .meta({ description: 'The key of this error in the plain JSON body, if that has keys.' }),
  })
  .meta({ id: 'ErrorEntry', description: 'One of several errors of a request.' });

/** An error as data, as error bodies and plans contain it. */
export const errorMembers = {
  ...members,
  errors: z
    .array(ErrorEntry)
    .optional()
    .meta({ description: 'Each error, if there can be several: of the fields of a body, or of the texts of a list.' }),
};
