import { Failure } from '@strata/domain';

/** Whatever is wrong with a credential is told in the same words (E1), so that nobody learns which part was right. */
export const badCredential = () =>
  new Failure({ kind: 'bad_credential', code: 'bad_credential', message: 'Incorrect authentication credentials.' });
