import { z } from 'zod';
import { booleanParameter, parameter } from './query.ts';

/** The length limits of passwords (E80a, E80b; behaviour.md §12). */
export const PASSWORD_LENGTH_MIN = 8;
export const PASSWORD_LENGTH_MAX = 4_095;

const length = parameter<number>(
  (text) => {
    if (!/^[+-]?\d{1,15}$/.test(text)) return { bad: 'A valid integer is required.' };
    const length = Number(text);
    if (length < PASSWORD_LENGTH_MIN) {
      return {
        bad: `Ensure this value is greater than or equal to ${PASSWORD_LENGTH_MIN}.`,
        code: 'password_too_short',
        params: { limit: PASSWORD_LENGTH_MIN },
      };
    }
    if (length > PASSWORD_LENGTH_MAX) {
      return {
        bad: `Ensure this value is less than or equal to ${PASSWORD_LENGTH_MAX}.`,
        code: 'password_too_long',
        params: { limit: PASSWORD_LENGTH_MAX },
      };
    }
    return { ok: length };
  },
  { type: 'integer', minimum: PASSWORD_LENGTH_MIN, maximum: PASSWORD_LENGTH_MAX, description: 'Number of characters.' },
);

export const GeneratePasswordQuery = z.object({
  length,
  require_hardware_generation: booleanParameter(
    'Accepted and ignored: the operating system always provides the randomness.',
  ).default(false),
  require_lowercase: booleanParameter('Include letters a to z.').default(true),
  require_numbers: booleanParameter('Include digits.').default(true),
  require_spaces: booleanParameter('Include blanks.').default(false),
  require_symbols: booleanParameter('Include punctuation.').default(false),
  require_uppercase: booleanParameter('Include letters A to Z.').default(true),
});
export type GeneratePasswordQuery = z.infer<typeof GeneratePasswordQuery>;

export const GeneratedPassword = z
  .object({ value: z.string().meta({ description: 'The password. Strata does not store it.' }) })
  .meta({ id: 'GeneratedPasswordResponse', description: 'A newly generated password.' });
export type GeneratedPassword = z.infer<typeof GeneratedPassword>;
