import type { TokenExchange } from '@strata/contract';
import { Client } from './client.ts';
import { CommandError, invalidInputError } from './errors.ts';

/** Exchanges the token of a job or a pod for a token of a service account, which trusts it. */
export async function exchangeWorkloadToken(url: string, token: string, account: string | undefined): Promise<string> {
  if (!account)
    throw invalidInputError(
      'The token of a job or pod is set, but STRATA_SERVICE_ACCOUNT is not.',
      'Set it to the id of the service account whose trust rule accepts the token.',
    );
  const body: TokenExchange = {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: token.trim(),
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    service_account: account,
  };
  try {
    return (await new Client(url, null).call('auth_exchange_create', { body })).access_token;
  } catch (error) {
    if (!(error instanceof CommandError) || error.details.code !== 'bad_credential') throw error;
    throw new CommandError(error.exitCode, 'Strata does not accept the token of this job or pod.', {
      ...error.details,
      hint: 'It is expired, or no trust rule of the service account accepts it. Compare its claims with the rules.',
    });
  }
}
