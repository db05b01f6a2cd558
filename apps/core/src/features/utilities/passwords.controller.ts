import { randomInt } from 'node:crypto';
import { Controller, Post } from '@nestjs/common';
import { type GeneratedPassword, GeneratePasswordQuery, parseQuery } from '@strata/contract';
import { Failure, generatePassword, passwordKinds } from '@strata/domain';
import { Requires } from '../../platform/auth/requires.ts';
import { type Call, CurrentCall } from '../../platform/http/request.ts';

@Controller('utils/generate_password')
export class PasswordsController {
  /** Generates a password. Strata does not store it. */
  @Post()
  @Requires('read')
  create(@CurrentCall() { query, reply }: Call): GeneratedPassword {
    const options = parseQuery(GeneratePasswordQuery, query);
    const input = {
      length: options.length,
      lowercase: options.require_lowercase,
      uppercase: options.require_uppercase,
      numbers: options.require_numbers,
      symbols: options.require_symbols,
      spaces: options.require_spaces,
    };
    if (passwordKinds(input).length === 0) {
      throw Failure.field(
        'no_kind_of_character',
        'non_field_errors',
        'Select at least one kind of character: lowercase, uppercase, numbers, symbols or spaces.',
      );
    }
    reply.header('cache-control', 'no-store');
    return { value: generatePassword(input, (bound) => randomInt(bound)) };
  }
}
