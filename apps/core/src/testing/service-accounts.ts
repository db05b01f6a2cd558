import type { ServiceAccountCreated, User } from '@strata/contract';
import type { Role } from '@strata/domain';
import { RawClient, type Reply, type RunningCore, type TestOrganization } from '@strata/testkit';

/** A service account, with the key that is shown once. */
export async function serviceAccount(
  organization: TestOrganization,
  input: object = {},
  as: Role = 'OWNER',
): Promise<ServiceAccountCreated> {
  const { body } = await organization.as(as).post<ServiceAccountCreated>('serviceaccounts/', { name: 'ci', ...input });
  return body;
}

/** Who a process says that the holder of a key is. */
export function current(
  { origin }: Pick<RunningCore, 'origin'>,
  { apikey }: { readonly apikey: string },
): Promise<Reply<User>> {
  return new RawClient(origin, `Api-Key ${apikey}`).get<User>('users/current/');
}
