import type { ServiceAccountCreated, User } from '@strata/contract';
import type { Role } from '@strata/domain';
import { RawClient, type Reply, type RunningCore, type TestOrganization } from '@strata/testkit';

/** Creates a service account, and returns the key that is shown once. */
export async function serviceAccount(
  organization: TestOrganization,
  input: object = {},
  role: Role = 'OWNER',
): Promise<ServiceAccountCreated> {
  const { body } = await organization
    .as(role)
    .post<ServiceAccountCreated>('serviceaccounts/', { name: 'ci', ...input });
  return body;
}

/** Returns the user that a process reports for a key. */
export function readCurrentUser(
  { origin }: Pick<RunningCore, 'origin'>,
  { apikey }: { readonly apikey: string },
): Promise<Reply<User>> {
  return new RawClient(origin, `Api-Key ${apikey}`).get<User>('users/current/');
}
