import type { AppliedChangeset, RevertConflict, Reverted } from '@strata/contract';
import type { RawClient, Reply, TestOrganization } from '@strata/testkit';

/** Applies operations as one changeset, and returns the result. */
export async function applyChanges(
  { owner }: TestOrganization,
  operations: readonly object[],
  extraFields: object = {},
): Promise<AppliedChangeset> {
  const response = await owner.post<AppliedChangeset>('changesets/', { operations, ...extraFields });
  if (response.status !== 201) throw new Error(`Not applied: ${response.text}`);
  return response.body;
}

export const set = (project: string, values: object, environment = 'default') => ({
  set: { project, environment, values, create_missing: true },
});

export function revertChanges(client: RawClient, revision: number, body: object = {}): Promise<Reply<Reverted>> {
  return client.post<Reverted>(`changesets/${revision}/revert/`, body);
}

/** Returns the conflicts of a revert: objects by name, each with the code. */
export function listConflicts({ body }: Reply<Reverted>): readonly string[] {
  const { conflicts } = body as { conflicts: readonly RevertConflict[] };
  return conflicts.map(({ object_type: type, object_name: name, code }) => `${type} ${name}: ${code}`);
}

export const latestRevision = async ({ owner }: TestOrganization): Promise<number> =>
  Number((await owner.get('users/current/')).headers['x-revision']);
