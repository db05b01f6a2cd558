import { randomUUID } from 'node:crypto';
import type { AuthToken, InvitationCreated, User } from '@strata/contract';
import { RawClient } from '@strata/testkit';
import pg from 'pg';
import { useSharedGraphQL } from './graphql-access.ts';

const fixture = useSharedGraphQL();

/** Creates a member through an invitation, with a session. */
async function newMember() {
  const { organization, stack } = fixture;
  const anonymous = new RawClient(stack.core.origin, null);
  const [email, password] = [`${randomUUID()}@example.com`, randomUUID()];
  const { body } = await organization.owner.post<InvitationCreated>('invitations/', { email, role: 'VIEWER' });
  await anonymous.post(`invitations/${body.id}/accept/`, { token: body.token, password });
  const signIn = async (client: string) => {
    const credential = { email, password, organization: organization.id, client };
    const { body: token } = await anonymous.post<AuthToken>('auth/session/', credential);
    return `Bearer ${token.access_token}`;
  };
  const authorization = await signIn('laptop');
  const { body: user } = await new RawClient(stack.core.origin, authorization).get<User>('users/current/');
  return { id: user.id, authorization, signIn };
}

/** Adds the member to many more organizations with the same name. */
async function joinMany(person: string, count: number, name: string) {
  const client = new pg.Client({ connectionString: fixture.stack.core.database.url });
  await client.connect();
  try {
    await client.query(
      `with made as (insert into organization (id, name) select gen_random_uuid(), $2 from generate_series(1, $3) returning id)
       insert into membership (organization_id, id, person_id, role) select id, gen_random_uuid(), $1, 'OWNER' from made`,
      [person, name, count],
    );
  } finally {
    await client.end();
  }
}

describe('the viewer', () => {
  it('has the caller’s organization, even if others have the same name', async () => {
    const { id, authorization } = await newMember();
    await joinMany(id, 501, fixture.organization.name);

    const { viewer } = await fixture.stack.data(
      '{ viewer { role organization { id name role current } } }',
      {},
      authorization,
    );

    expect(viewer).toEqual({
      role: 'VIEWER',
      organization: { id: fixture.organization.id, name: fixture.organization.name, role: 'VIEWER', current: true },
    });
  });

  it('may be a service account', async () => {
    const authorization = await fixture.organization.authorization('CONTRIB');

    const { viewer } = await fixture.stack.data('{ viewer { role organization { id } } }', {}, authorization);

    expect(viewer).toEqual({ role: 'CONTRIB', organization: { id: fixture.organization.id } });
  });

  it('has the caller’s sessions, and ends one of them', async () => {
    const { authorization, signIn } = await newMember();
    const lost = await signIn('phone');
    const sessions = async () =>
      (await fixture.stack.data('{ viewer { sessions { id client method provider isCurrent } } }', {}, authorization))
        .viewer.sessions;
    const common = { id: expect.any(String), method: 'password', provider: null };
    const [phone, laptop] = await sessions();
    expect([phone, laptop]).toEqual([
      { ...common, client: 'phone', isCurrent: false },
      { ...common, client: 'laptop', isCurrent: true },
    ]);

    const END = 'mutation ($id: ID!) { endSession(id: $id) { __typename } }';
    const end = async (id: string) => (await fixture.stack.data(END, { id }, authorization)).endSession;
    expect(await end(phone.id)).toEqual({ __typename: 'Done' });

    expect(await sessions()).toEqual([laptop]);
    expect(await end(phone.id)).toEqual({ __typename: 'NotFound' });
    const endResponse = await fixture.stack.request('{ viewer { role } }', {}, lost);
    expect(endResponse.errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
  });
});
