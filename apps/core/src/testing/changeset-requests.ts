import type { AppliedChangeset } from '@strata/contract';
import type { TestOrganization } from '@strata/testkit';

type Client = TestOrganization['owner'];

/** Sends a changeset and returns any response. */
export const applyAsClient = (
  client: Client,
  operations: readonly object[],
  extraFields: object = {},
  headers: Record<string, string> = {},
) => client.post<AppliedChangeset>('changesets/', { operations, ...extraFields }, headers);

/** Returns the current revision of a client's organization. */
export const readRevision = async (client: Client) =>
  Number((await client.get('users/current/')).headers['x-revision']);

/** Returns the operation that renames a project. */
export const rename = ({ id }: { readonly id: string }, name: string, extraFields: object = {}) => ({
  operation: 'projects_partial_update',
  path: { id },
  body: { name },
  ...extraFields,
});
