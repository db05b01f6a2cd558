import type { CallerAbilities } from '@strata/contract';
import type { Client } from '../core/client.ts';
import { invalidInputError } from '../core/errors.ts';

/** Returns the abilities of the credential. Throws unless it can only read, and cannot reveal secrets. */
export async function assertReadsOnly(client: Client): Promise<CallerAbilities> {
  const rights = await client.call('users_current_abilities_retrieve');
  const { abilities, scopes, reveals_secrets: reveals } = rights;
  const all: readonly string[] = [...abilities, ...scopes.flatMap((scope) => scope.abilities)];
  const writes = all.some((ability) => ability !== 'read');
  const excess = [writes && 'change configuration', reveals && 'reveal secrets'].filter(Boolean).join(' and ');
  if (excess === '') return rights;
  throw invalidInputError(
    `The credential can ${excess}. The MCP server requires one that can only read, and cannot reveal secrets.`,
    'Create a service account with the role VIEWER that does not reveal secrets, preferably for some projects only, and set STRATA_API_KEY to its key.',
  );
}
