import type { AppliedChangeset } from '@strata/contract';
import type { TestOrganization } from '@strata/testkit';

type Client = TestOrganization['owner'];

/** Sends a changeset, whatever is answered. */
export const applyAs = (
  client: Client,
  operations: readonly object[],
  more: object = {},
  headers: Record<string, string> = {},
) => client.post<AppliedChangeset>('changesets/', { operations, ...more }, headers);

/** The revision that the organization of a client has come to. */
export const revisionOf = async (client: Client) => Number((await client.get('users/current/')).headers['x-revision']);

/** The operation that calls a project otherwise. */
export const rename = ({ id }: { readonly id: string }, name: string, more: object = {}) => ({
  operation: 'projects_partial_update',
  path: { id },
  body: { name },
  ...more,
});
