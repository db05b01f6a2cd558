import { Failure } from '@strata/domain';

/** behaviour.md E1: the same for whatever is wrong with a credential. */
export const badCredential = () =>
  new Failure('bad_credential', 'bad_credential', 'Incorrect authentication credentials.');
