import { randomUUID } from 'node:crypto';
import type {
  AuthToken,
  Invitation,
  InvitationCreated,
  Membership,
  Page,
  ServiceAccountCreated,
  User,
} from '@strata/contract';
import type { Role } from '@strata/domain';
import { RawClient, type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { createPerson } from '../../testing/people.ts';
import { query } from '../../testing/query.ts';

let core: RunningCore;
let anonymous: RawClient;
beforeAll(async () => {
  core = await sharedCore();
  anonymous = new RawClient(core.origin, null);
});

const address = () => `${randomUUID()}@example.com`;
const invite = (client: RawClient, role: Role = 'VIEWER', email = address()) =>
  client.post<InvitationCreated>('invitations/', { email, role });
const PASSWORD = 'correct horse battery';

/** Invites a person and accepts the invitation. */
async function newMember(organization: TestOrganization, role: Role = 'VIEWER', email = address()) {
  const { body } = await invite(organization.owner, role, email);
  const accepted = await anonymous.post<Invitation>(`invitations/${body.id}/accept/`, {
    token: body.token,
    password: PASSWORD,
    name: 'Nora',
  });
  const signedIn = await anonymous.post<AuthToken>('auth/token/', { email, password: PASSWORD });
  return { accepted, email, client: new RawClient(core.origin, `Bearer ${signedIn.body.access_token}`) };
}

describe('invitations', () => {
  it('are recorded, and return their token once, so that a person can pass it on', async () => {
    const organization = await core.organization();
    const invitation = await invite(organization.owner, 'CONTRIB');

    expect(invitation).toMatchObject({
      status: 201,
      body: { role: 'CONTRIB', state: 'pending', membership: null, token: expect.stringMatching(/^[\w-]{43}$/) },
    });
    expect(invitation.headers.location).toBe(invitation.body.url);
    expect(invitation.headers['cache-control']).toBe('no-store');
    const { token, ...shown } = invitation.body;
    expect((await organization.as('VIEWER').get(invitation.body.url)).body).toEqual(shown);
    expect(
      (await organization.owner.get(`invitations/?email=${invitation.body.email.toUpperCase()}`)).text,
    ).not.toContain(token);
    const [stored] = await query<{ kept: string }>(
      core,
      'select invitation::text as kept from invitation where id = $1',
      [shown.id],
    );
    expect(stored?.kept).not.toContain(token);
  });

  it('let a person without an account join, who can then sign in', async () => {
    const organization = await core.organization();
    const { accepted, client, email } = await newMember(organization, 'CONTRIB');

    expect(accepted).toMatchObject({ status: 200, body: { state: 'accepted', email } });
    const me = await client.get<User>('users/current/');
    expect(me).toMatchObject({ status: 200, body: { email, name: 'Nora', role: 'CONTRIB', type: 'interactive' } });
    expect(accepted.body.membership).toContain(me.body.membership_id ?? '?');
    expect(accepted.body.organization).toContain(organization.id);
  });

  it('let a signed-in person with that address join, without a body and without a token', async () => {
    const [organization, otherOrganization] = [await core.organization(), await core.organization()];
    const registered = await createPerson(core, otherOrganization.id, 'VIEWER');
    const { body } = await invite(organization.owner, 'ADMIN', registered.email.toUpperCase());

    const accepted = await registered.client.post<Invitation>(`invitations/${body.id}/accept/`);

    expect(accepted).toMatchObject({ status: 200, body: { state: 'accepted', role: 'ADMIN' } });
    const { body: memberships } = await organization.owner.get<Page<Membership>>(`memberships/?user=${registered.id}`);
    expect(memberships.results).toMatchObject([{ role: 'ADMIN', url: accepted.body.membership }]);
  });

  it('are rejected for a person with another address', async () => {
    const [organization, otherOrganization] = [await core.organization(), await core.organization()];
    const otherOwner = await createPerson(core, otherOrganization.id, 'OWNER');
    const { body } = await invite(organization.owner);

    const response = await otherOwner.client.post(`invitations/${body.id}/accept/`, { token: body.token });

    expect(response).toMatchObject({ status: 403, body: { detail: expect.any(String) } });
    expect(response.headers['x-error-code']).toBe('email_mismatch');
    expect(await organization.as('OWNER').post(`invitations/${body.id}/accept/`)).toMatchObject({ status: 403 });
  });

  it('are not accepted for an address that only another organization has entered, unless the request contains the token', async () => {
    const [organization, otherOrganization] = [await core.organization(), await core.organization()];
    const email = address();
    const { client } = await newMember(otherOrganization, 'OWNER', email);
    const { body } = await invite(organization.owner, 'OWNER', email);

    const response = await client.post(`invitations/${body.id}/accept/`);
    expect(response).toMatchObject({
      status: 403,
      headers: expect.objectContaining({ 'x-error-code': 'token_needed' }),
    });
    expect(await client.post(`invitations/${body.id}/accept/`, { token: body.token })).toMatchObject({ status: 200 });
  });

  it('that are used, unknown, or sent with a wrong token return the same 404', async () => {
    const organization = await core.organization();
    const used = await invite(organization.owner);
    const accept = (id: string, token: string) =>
      anonymous.post(`invitations/${id}/accept/`, { token, password: PASSWORD });
    expect((await accept(used.body.id, used.body.token)).status).toBe(200);
    const fresh = await invite(organization.owner);

    const responses = [
      await accept(used.body.id, used.body.token),
      await accept(randomUUID(), used.body.token),
      await accept(fresh.body.id, used.body.token),
      await accept('nonsense', used.body.token),
    ];
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(responses[0]?.status).toBe(404);
    expect(await anonymous.post(`invitations/${fresh.body.id}/accept/`)).toMatchObject({ status: 401 });
  });

  it('require a strong password from a new person, and a sign-in from a person with an account', async () => {
    const organization = await core.organization();
    const member = await createPerson(core, organization.id, 'VIEWER');
    const otherOrganization = await core.organization();
    const { body: strange } = await invite(organization.owner);
    const { body: mine } = await invite(otherOrganization.owner, 'VIEWER', member.email);

    expect(await anonymous.post(`invitations/${strange.id}/accept/`, { token: strange.token })).toMatchObject({
      status: 400,
      body: { password: [expect.any(String)] },
    });
    expect(
      await anonymous.post(`invitations/${strange.id}/accept/`, { token: strange.token, password: 'short' }),
    ).toMatchObject({ status: 400, body: { password: [expect.any(String)] } });
    const response = await anonymous.post(`invitations/${mine.id}/accept/`, { token: mine.token, password: PASSWORD });
    expect(response).toMatchObject({
      status: 403,
      headers: expect.objectContaining({ 'x-error-code': 'sign_in_first' }),
    });
  });

  it('are accepted once, even if many requests run at the same time', async () => {
    const organization = await core.organization();
    const { body } = await invite(organization.owner);
    const attempts = Array.from({ length: 4 }, () =>
      anonymous.post(`invitations/${body.id}/accept/`, { token: body.token, password: PASSWORD }),
    );
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => ![200, 403, 404].includes(status))).toEqual([]);
  });

  it('are unique for each address, and cannot be created for a member', async () => {
    const organization = await core.organization();
    const { body } = await invite(organization.owner);
    const member = await createPerson(core, organization.id, 'VIEWER');

    for (const email of [body.email, body.email.toUpperCase(), member.email]) {
      expect(await invite(organization.owner, 'VIEWER', email)).toMatchObject({
        status: 400,
        body: { email: [expect.any(String)] },
      });
    }
    for (const email of ['', 'nobody', 'a b@c.d', `${'x'.repeat(251)}@y.z`, '@y']) {
      expect(await invite(organization.owner, 'VIEWER', email)).toMatchObject({
        status: 400,
        body: { email: [expect.any(String)] },
      });
    }
  });

  it("grant no role above the inviter's, and can only be managed by callers with that role (E90)", async () => {
    const organization = await core.organization();
    const { body: owner } = await invite(organization.owner, 'OWNER');
    const { body: viewer } = await invite(organization.owner);
    const admin = organization.as('ADMIN');

    for (const response of [
      await invite(admin, 'OWNER'),
      await admin.patch(viewer.url, { role: 'OWNER' }),
      await admin.patch(owner.url, { role: 'VIEWER' }),
      await admin.post(`${owner.url}resend/`),
      await admin.delete(owner.url),
    ]) {
      expect(response).toMatchObject({
        status: 403,
        headers: expect.objectContaining({ 'x-error-code': 'role_above_own' }),
      });
    }
    for (const role of ['VIEWER', 'CONTRIB'] as const) {
      expect((await invite(organization.as(role))).status).toBe(403);
      expect((await organization.as(role).delete(viewer.url)).status).toBe(403);
      expect((await organization.as(role).get('invitations/')).status).toBe(200);
    }
    expect((await invite(admin, 'ADMIN')).status).toBe(201);
  });

  it('get a new token when they are resent, and lose their token when the role changes', async () => {
    const organization = await core.organization();
    const { body: first } = await invite(organization.owner);
    const repeatedResponse = await organization.owner.post<InvitationCreated>(`${first.url}resend/`);
    expect(repeatedResponse).toMatchObject({ status: 200, body: { id: first.id, state: 'pending' } });
    expect(repeatedResponse.body.token).not.toBe(first.token);
    const accept = (token: string) => anonymous.post(`${first.url}accept/`, { token, password: PASSWORD });
    expect((await accept(first.token)).status).toBe(404);

    expect(await organization.owner.patch<Invitation>(first.url, { role: 'OWNER' })).toMatchObject({
      status: 200,
      body: { role: 'OWNER' },
    });
    expect((await accept(repeatedResponse.body.token)).status).toBe(404);
    const third = await organization.owner.post<InvitationCreated>(`${first.url}resend/`);
    expect((await accept(third.body.token)).status).toBe(200);
    expect((await organization.owner.post(`${first.url}resend/`)).status).toBe(404);
  });

  it('can be filtered by address, role and state', async () => {
    const organization = await core.organization();
    const { body } = await invite(organization.owner, 'ADMIN');
    await newMember(organization);
    const count = async (filter: string) =>
      (await organization.owner.get<Page<Invitation>>(`invitations/?${filter}`)).body.count;
    expect([await count(''), await count('state=accepted'), await count('state=pending')]).toEqual([2, 1, 1]);
    expect([await count('role=ADMIN'), await count(`email=${body.email}`), await count('email=x')]).toEqual([1, 1, 0]);
    expect((await organization.owner.get('invitations/?state=lost')).status).toBe(400);
  });

  it('of a service account are deleted with it; those of others and accepted ones remain', async () => {
    const organization = await core.organization();
    const { body: bot } = await organization.owner.post<ServiceAccountCreated>('serviceaccounts/', {
      name: 'bot',
      role: 'ADMIN',
    });
    const client = new RawClient(core.origin, `Api-Key ${bot.apikey}`);
    const { body: withdrawn } = await invite(client);
    const { body: invitation } = await invite(organization.owner);

    await organization.owner.delete(bot.url);

    expect((await organization.owner.get(withdrawn.url)).status).toBe(404);
    expect((await organization.owner.get(invitation.url)).status).toBe(200);
    expect((await client.get('users/current/')).status).toBe(403);
  });

  it('of another organization return 404', async () => {
    const [organization, otherOrganization] = [await core.organization(), await core.organization()];
    const { body } = await invite(otherOrganization.owner);
    const never = await organization.owner.get(`invitations/${randomUUID()}/`);
    for (const response of [
      await organization.owner.get(body.url),
      await organization.owner.patch(body.url, { role: 'ADMIN' }),
      await organization.owner.post(`${body.url}resend/`),
      await organization.owner.delete(body.url),
    ]) {
      expect(response).toMatchObject({ status: 404, text: never.text });
    }
  });

  it('are recorded together with their outcomes', async () => {
    const organization = await core.organization();
    const { body } = await invite(organization.owner);
    await organization.owner.patch(body.url, { role: 'CONTRIB' });
    await organization.owner.patch(body.url, { role: 'CONTRIB' });
    await organization.owner.delete(body.url);
    const recorded = await query(
      core,
      `select action, object_name as name, event_type as event from change
        where organization_id = $1 and object_type = 'Invitation' order by revision`,
      [organization.id],
    );
    expect(recorded).toEqual(
      ['create', 'update', 'delete'].map((action) => ({ action, name: body.email, event: null })),
    );
  });
});
