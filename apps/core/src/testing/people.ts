import { randomUUID } from 'node:crypto';
import type { AuthToken } from '@strata/contract';
import type { Role } from '@strata/domain';
import { RawClient, type RunningCore } from '@strata/testkit';
import { hashPassword } from '../features/identity/password.ts';
import { query } from './query.ts';

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly membershipId: string;
  /** A signed-in client. */
  readonly client: RawClient;
}

/** The password of all test people. Hashing is slow on purpose, so this hash uses the lowest cost. */
const PASSWORD = randomUUID();
const HASH_COST = 1;
let hash: Promise<string> | undefined;

/**
 * Creates a person with a verified address. Inserts the rows directly, as the operator of an installation could, so
 * that no token is needed.
 */
export async function createPerson(
  core: RunningCore,
  organizationId: string,
  role: Role,
  id: string = randomUUID(),
): Promise<Person> {
  hash ??= hashPassword(PASSWORD, HASH_COST);
  const email = `${randomUUID()}@example.com`;
  const [membership] = await query<{ id: string }>(
    core,
    `with p as (insert into person (id, type, name, email, password_hash) values ($1, 'interactive', $2, $3, $4))
     insert into membership (organization_id, id, person_id, role) values ($5, $6, $1, $7) returning id`,
    [id, `${role} person`, email, await hash, organizationId, randomUUID(), role],
  );
  if (!membership) throw new Error('The person was not stored.');
  const client = new RawClient(
    core.origin,
    async () => `Bearer ${await requestToken(core, { email, password: PASSWORD }, organizationId)}`,
  );
  return { id, email, password: PASSWORD, membershipId: membership.id, client };
}

const tokens = new Map<string, Promise<string>>();

/** Signs in only once for each person and organization. */
export function requestToken(
  { origin }: RunningCore,
  { email, password }: { readonly email: string; readonly password: string },
  organization: string,
): Promise<string> {
  const key = `${origin} ${email} ${organization}`;
  const cachedToken = tokens.get(key);
  if (cachedToken) return cachedToken;
  const token = new RawClient(origin, null)
    .post<AuthToken>('auth/token/', { email, password, organization })
    .then(({ body }) => body.access_token);
  tokens.set(key, token);
  return token;
}
