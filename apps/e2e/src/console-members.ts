import { randomUUID } from 'node:crypto';
import { type TestDatabase, type TestOrganization, testCredentials } from '@strata/testkit';
import pg from 'pg';

/** A user who signs in. */
export interface ConsoleMember {
  readonly email: string;
  readonly password: string;
}

/**
 * Adds a user who has joined with the defaults of an invitation. Inserts the rows directly with a copy of the owner's password hash, which
 * is cheap to check (tools/jest/template.mjs).
 */
export async function addMember(
  database: Pick<TestDatabase, 'url'>,
  { id }: TestOrganization,
  role: string,
): Promise<ConsoleMember> {
  const { ownerEmail, ownerPassword: password } = testCredentials();
  const email = `${randomUUID()}@example.com`;
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query(
      `with new_person as (
         insert into person (id, type, name, email, password_hash)
         select gen_random_uuid(), 'interactive', 'Ada', $1, password_hash from person where email = $2 returning id
       )
       insert into membership (organization_id, id, person_id, role, reveals_secrets)
       select organization.id, gen_random_uuid(), new_person.id, $4, $4 <> 'VIEWER' or viewers_reveal_secrets
       from new_person, organization where organization.id = $3`,
      [email, ownerEmail, id, role],
    );
  } finally {
    await client.end();
  }
  return { email, password };
}
