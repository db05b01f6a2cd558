import { expirationProblem } from '@strata/domain';
import { z } from 'zod';
import { flagField, mapField, textField } from './fields.ts';
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from './password.ts';
import { optionalMember } from './write-shapes.ts';

const LENGTH_DEFAULT = 32;
const TEXT_MAX = 64;

/** After a text expires, it is replaced by a generated password (behaviour.md §12). */
export const ExpirationAction = z.object({
  length: z.int().min(PASSWORD_LENGTH_MIN).max(PASSWORD_LENGTH_MAX).default(LENGTH_DEFAULT),
  require_hardware_generation: flagField.default(false),
  require_lowercase: flagField.default(true),
  require_numbers: flagField.default(true),
  require_spaces: flagField.default(false),
  require_symbols: flagField.default(false),
  require_uppercase: flagField.default(true),
});
export type ExpirationAction = z.infer<typeof ExpirationAction>;

const KINDS = [
  'require_lowercase',
  'require_numbers',
  'require_spaces',
  'require_symbols',
  'require_uppercase',
] as const;

const actionIn = mapField(z.unknown())
  .check((context) => {
    const read = ExpirationAction.safeParse(context.value);
    const message = !read.success
      ? `${read.error.issues[0]?.path.join('.') ?? ''} is not an option of a generated password.`
      : KINDS.some((kind) => read.data[kind])
        ? null
        : 'Select at least one kind of character.';
    if (message !== null) context.issues.push({ code: 'custom', input: undefined, message });
  })
  .nullable();

const expiresIn = z.preprocess(
  (text) => (text === '' ? null : text),
  textField({ max: TEXT_MAX, blank: 'rejected' })
    .check((context) => {
      const message = expirationProblem(context.value);
      if (message !== null) context.issues.push({ code: 'custom', input: undefined, message });
    })
    .nullable(),
);

/** Null removes the expiration; an absent member keeps it. */
export const expirationMembers = {
  expires: optionalMember(
    expiresIn,
    'Time after their last change at which its values expire, such as `P30D`; null: never.',
  ),
  expiration_action: optionalMember(
    actionIn,
    'Options of the generated password that replaces an expired text; null: expired values are only marked.',
  ),
};

export const EXPIRED_STATES = ['expired', 'rotated', 'failed'] as const;

export const expirationOutput = {
  expires: z
    .string()
    .nullable()
    .meta({ description: 'Time after their last change at which its values expire, such as `P30D`; null: never.' }),
  expiration_action: z.record(z.string(), z.unknown()).nullable().meta({
    description:
      'Options of the generated password that replaces an expired text; null: expired values are only marked.',
  }),
  expired_status: z
    .record(z.string(), z.unknown())
    .nullable()
    .meta({ description: 'The result of the latest expiration: state, time and detail.' }),
};
