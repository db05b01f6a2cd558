import { Failure } from '@strata/domain';

/** Every invalid credential gets the same error (E1), so that an attacker cannot learn which part was correct. */
export const badCredentialError = () =>
  new Failure({ kind: 'bad_credential', code: 'bad_credential', message: 'Incorrect authentication credentials.' });
